//! The only code that touches the terminal: takes it over, feeds the state, draws, gives it back.

use std::{
    io::{self, Stdout},
    panic,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor,
        event::{self, DisableMouseCapture, EnableMouseCapture, Event},
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
};

use super::{App, Effect, Exchanges, Msg, draw};

/// How long to wait for a key before looking at the index again.
const TICK: Duration = Duration::from_millis(100);

/// Shows `exchanges` until the user quits. The terminal is as before afterwards, whatever ends it:
/// a key, an error, a panic, SIGTERM or SIGHUP.
pub fn run(exchanges: &dyn Exchanges, coloured: bool) -> io::Result<()> {
    let ended = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&ended))?;
    }
    let mut screen = Screen::take()?;
    let size = screen.terminal.size()?;
    let mut app = App::new(exchanges.title(), size.width, size.height, coloured);
    let mut known = usize::MAX;
    let mut drawn_rows = None;
    loop {
        if known != exchanges.len() || app.is_indexing() {
            known = exchanges.len();
            let msg = Msg::Progress {
                len: known,
                progress: exchanges.progress(),
                failure: exchanges.failure(),
            };
            follow(&mut app, exchanges, msg);
        }
        let wanted = app.wanted_rows();
        if drawn_rows.as_ref() != Some(&wanted) {
            let rows = wanted
                .clone()
                .filter_map(|idx| exchanges.row(idx))
                .collect();
            let first = wanted.start;
            // Rows of exchanges that may still get their response are asked for again.
            drawn_rows = (!app.is_indexing()).then_some(wanted);
            app.update(Msg::Rows { first, rows });
        }
        screen
            .terminal
            .draw(|frame| draw(&app, frame.buffer_mut()))?;
        if ended.load(Ordering::Relaxed) {
            return Ok(());
        }
        if !event::poll(TICK)? {
            continue;
        }
        // All keys that are waiting count before the next frame, so that a held key cannot outrun
        // the drawing.
        loop {
            let msg = match event::read()? {
                Event::Key(key) => Some(Msg::Key(key)),
                Event::Mouse(mouse) => Some(Msg::Mouse(mouse)),
                Event::Resize(width, height) => Some(Msg::Resize(width, height)),
                _ => None,
            };
            if let Some(msg) = msg
                && follow(&mut app, exchanges, msg) == Effect::Quit
            {
                return Ok(());
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}

/// Updates the state and does what it asks for, until it asks for nothing or for the end.
fn follow(app: &mut App, exchanges: &dyn Exchanges, msg: Msg) -> Effect {
    let mut effect = app.update(msg);
    while let Effect::Open { idx, side } = effect {
        let tree = exchanges.message(idx, side).map(Box::new);
        effect = app.update(Msg::Opened { idx, side, tree });
    }
    effect
}

/// The terminal while it is taken over; dropping it gives it back.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    fn take() -> io::Result<Screen> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            hook(info);
        }));
        enable_raw_mode()?;
        let taken = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match taken {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}
