//! The only code that touches the terminal: takes it over, feeds the state, draws, gives it back.

use std::{
    io::{self, Stdout, Write},
    panic,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
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

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

use super::{
    App, Config, Effect, Exchanges, Msg, Theme, background, draw,
    osc52::{self, Between},
    rereading::{Request, Rereader},
    saving,
};

/// How long to wait for a key before looking at the index again.
const TICK: Duration = Duration::from_millis(100);

/// The same while changed bytes are being decoded.
const SHORT_TICK: Duration = Duration::from_millis(10);

/// How long a signal may take to be followed before the program ends all the same.
const GRACE: Duration = Duration::from_millis(300);

/// Signals that end the browser. No key sends them, since the terminal is raw; others may.
const SIGNALS: [i32; 4] = [SIGTERM, SIGHUP, SIGINT, SIGQUIT];

/// What ended the browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The user.
    Quit,
    /// One of `SIGNALS`, by its number.
    Signal(i32),
}

/// Whether colours may be used at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    Wanted,
    /// As NO_COLOR or an option says.
    Unwanted,
}

/// Shows `exchanges` until the user quits. The terminal is as before afterwards, whatever ends it:
/// a key, an error, a panic, one of `SIGNALS`.
pub fn run(exchanges: &dyn Exchanges, config: Config, colours: Colours) -> io::Result<Ended> {
    let signal = Arc::new(AtomicUsize::new(0));
    for number in SIGNALS {
        let value = usize::try_from(number).unwrap_or_default();
        signal_hook::flag::register_usize(number, Arc::clone(&signal), value)?;
    }
    let mut screen = Screen::take()?;
    let done = Arc::new(AtomicBool::new(false));
    leave_without_a_terminal(Arc::clone(&signal), Arc::clone(&done));
    let theme = match colours {
        Colours::Wanted => config.theme.unwrap_or_else(background::theme),
        Colours::Unwanted => Theme::Plain,
    };
    let size = screen.terminal.size()?;
    let app = App::new(exchanges.title(), size.width, size.height, false).configured(config, theme);
    let ended = thread::scope(|scope| {
        let rereader = Rereader::start(scope, exchanges);
        browse(exchanges, app, rereader, &mut screen, &signal)
    });
    done.store(true, Ordering::Relaxed);
    ended
}

/// A terminal that is gone can keep the reading of events busy for good, in code that is not ours:
/// if a signal is not followed within a moment, the program ends from here.
fn leave_without_a_terminal(signal: Arc<AtomicUsize>, done: Arc<AtomicBool>) {
    thread::spawn(move || {
        while !done.load(Ordering::Relaxed) {
            thread::sleep(GRACE);
            let number = signal.load(Ordering::Relaxed);
            if number == 0 {
                continue;
            }
            thread::sleep(GRACE);
            if !done.load(Ordering::Relaxed) {
                restore();
                signal_hook::low_level::exit(128 + i32::try_from(number).unwrap_or_default());
            }
        }
    });
}

fn browse(
    exchanges: &dyn Exchanges,
    mut app: App,
    mut rereader: Rereader,
    screen: &mut Screen,
    signal: &AtomicUsize,
) -> io::Result<Ended> {
    let mut seen = None;
    let mut changed = true;
    loop {
        let status = exchanges.status();
        if seen.as_ref() != Some(&status) {
            seen = Some(status.clone());
            follow(&mut app, exchanges, &mut rereader, Msg::Status(status));
            changed = true;
        }
        while let Some(msg) = rereader.answer() {
            follow(&mut app, exchanges, &mut rereader, msg);
            changed = true;
        }
        if changed {
            let wanted = app.wanted_rows();
            let first = wanted.start;
            let rows = wanted.filter_map(|idx| exchanges.row(idx)).collect();
            follow(
                &mut app,
                exchanges,
                &mut rereader,
                Msg::Rows { first, rows },
            );
            screen
                .terminal
                .draw(|frame| draw(&app, frame.buffer_mut()))?;
        }
        changed = false;
        match signal.load(Ordering::Relaxed) {
            0 => {}
            number => return Ok(Ended::Signal(i32::try_from(number).unwrap_or_default())),
        }
        let tick = if rereader.is_busy() { SHORT_TICK } else { TICK };
        if !event::poll(tick)? {
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
            if let Some(msg) = msg {
                changed = true;
                match follow(&mut app, exchanges, &mut rereader, msg) {
                    Effect::Quit => return Ok(Ended::Quit),
                    Effect::Copy(text) => screen.copy(&text)?,
                    Effect::Suspend => {
                        screen.suspend()?;
                        let size = screen.terminal.size()?;
                        app.update(Msg::Resize(size.width, size.height));
                    }
                    _ => {}
                }
            }
            if !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
}

/// Updates the state and does what it asks for, until it asks for nothing, or for what only the
/// holder of the terminal can do.
fn follow(app: &mut App, exchanges: &dyn Exchanges, rereader: &mut Rereader, msg: Msg) -> Effect {
    let mut effect = app.update(msg);
    loop {
        let answer = match effect {
            Effect::None | Effect::Quit | Effect::Copy(_) | Effect::Suspend => return effect,
            Effect::Open { idx, side } => {
                let page = exchanges.message(idx, side).map(Box::new);
                Msg::Opened { idx, side, page }
            }
            Effect::Seek { idx, step } => Msg::Trouble(exchanges.trouble(idx, step)),
            Effect::Notes => Msg::Notes(exchanges.notes()),
            Effect::Reread {
                idx,
                side,
                bytes,
                reading,
            } => {
                rereader.ask(Request {
                    idx,
                    side,
                    bytes,
                    reading,
                });
                return Effect::None;
            }
            Effect::Save {
                name,
                bytes,
                existing,
            } => {
                let result = saving::write(&name, &bytes, existing);
                Msg::Saved { name, result }
            }
        };
        effect = app.update(answer);
    }
}

/// The terminal while it is taken over; dropping it gives it back.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Screen {
    fn take() -> io::Result<Screen> {
        let hook = panic::take_hook();
        let screen = thread::current().id();
        panic::set_hook(Box::new(move |info| {
            // A fault in another thread is shown on the screen, which stays.
            if thread::current().id() == screen {
                restore();
                hook(info);
            }
        }));
        let taken = enter().and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        match taken {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    /// Puts text into the clipboard of the terminal.
    fn copy(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout();
        out.write_all(osc52::sequence(text, Between::found()).as_bytes())?;
        out.flush()
    }

    /// Gives the terminal back and stops, as Ctrl-Z asks for, until the shell goes on with it.
    fn suspend(&mut self) -> io::Result<()> {
        restore();
        signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
        enter()?;
        self.terminal.clear()
    }
}

/// Takes the terminal over.
fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)
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
