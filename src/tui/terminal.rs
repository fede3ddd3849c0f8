//! The only code that touches the terminal: takes it over, feeds the state, draws, gives it back.

use std::{
    io::{self, Stdout, Write},
    mem, panic,
    path::PathBuf,
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
        event::{
            self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste,
            EnableMouseCapture, Event,
        },
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
    layout::{Position, Rect, Size},
};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

use super::{
    App, Bookmarks, Config, Effect, Exchanges, Memory, Msg, Page, Theme, View, background, draw,
    osc52::{self, Between},
    worker::Worker,
};

/// How long to wait for a key before looking at the index again.
const TICK: Duration = Duration::from_millis(100);

/// How long to wait for one while an answer is to come: less than anybody notices.
const SOON: Duration = Duration::from_millis(4);

/// How long a signal may take to be followed before the program ends all the same.
const GRACE: Duration = Duration::from_millis(300);

/// How long work beside the screen may take to stop, as to remove a file that is half written, before
/// the program ends all the same.
const REST: Duration = Duration::from_millis(200);

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

impl Ended {
    /// What a shell is told of it.
    fn code(self) -> i32 {
        match self {
            Ended::Quit => 0,
            Ended::Signal(number) => 128 + number,
        }
    }
}

/// Whether colours may be used at all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colours {
    #[default]
    Wanted,
    /// As NO_COLOR or an option says.
    Unwanted,
}

/// What the browser begins with, and keeps.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    pub colours: Colours,
    /// What the user has set.
    pub config: Config,
    /// Where bookmarks are kept; `None` for nowhere.
    pub bookmarks: Option<PathBuf>,
    /// Where what was typed is kept; `None` for nowhere.
    pub memory: Option<PathBuf>,
    /// The view that it begins with.
    pub view: Option<View>,
    /// Messages that it begins with, as if they had been pasted.
    pub pasted: Vec<Page>,
    /// The file that those are from.
    pub file: Option<String>,
}

/// Shows `exchanges` until the user quits. The terminal is as before afterwards, whatever ends it:
/// a key, an error, a panic, one of `SIGNALS`.
pub fn run(exchanges: &dyn Exchanges, setup: &Setup) -> io::Result<Ended> {
    let signal = Arc::new(AtomicUsize::new(0));
    for number in SIGNALS {
        let value = usize::try_from(number).unwrap_or_default();
        signal_hook::flag::register_usize(number, Arc::clone(&signal), value)?;
    }
    let mut screen = Screen::take()?;
    let done = Arc::new(AtomicBool::new(false));
    leave_without_a_terminal(Arc::clone(&signal), Arc::clone(&done));
    let ended = thread::scope(|scope| {
        let worker = Worker::start(scope, exchanges);
        let ended = browse(exchanges, &worker, setup, &mut screen, &signal);
        if let Ok(Ended::Quit) = ended {
            drop(screen);
        } else {
            // Dropped, it would complain to a terminal that may be gone.
            restore();
            mem::forget(screen);
        }
        let ended = match (ended, signal.load(Ordering::Relaxed)) {
            (Ok(ended), _) => ended,
            (Err(error), 0) => return Err(error),
            // That is why nothing can be read or written.
            (Err(_), number) => Ended::Signal(i32::try_from(number).unwrap_or_default()),
        };
        // All that is kept has been written. One long exchange cannot be stopped half way, and nobody
        // waits for what comes of it.
        if !worker.rests_within(REST) {
            signal_hook::low_level::exit(ended.code());
        }
        Ok(ended)
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
                let number = i32::try_from(number).unwrap_or_default();
                signal_hook::low_level::exit(Ended::Signal(number).code());
            }
        }
    });
}

fn browse(
    exchanges: &dyn Exchanges,
    worker: &Worker,
    setup: &Setup,
    screen: &mut Screen,
    signal: &AtomicUsize,
) -> io::Result<Ended> {
    let mut app = begun(exchanges, worker, setup, screen.terminal.size()?);
    let carry = |app: &mut App, msg| follow(app, worker, setup, msg);
    let mut seen = None;
    let mut changed = true;
    loop {
        let status = exchanges.status();
        if seen.as_ref() != Some(&status) {
            seen = Some(status.clone());
            carry(&mut app, Msg::Status(status));
            changed = true;
        }
        for answer in worker.answers() {
            carry(&mut app, answer);
            changed = true;
        }
        if changed {
            let (first, wanted) = app.wanted_rows();
            let rows = wanted.into_iter().filter_map(|idx| exchanges.row(idx));
            let rows = rows.collect();
            carry(&mut app, Msg::Rows { first, rows });
            screen
                .terminal
                .draw(|frame| draw(&app, frame.buffer_mut()))?;
        }
        changed = false;
        match signal.load(Ordering::Relaxed) {
            0 => {}
            number => return Ok(Ended::Signal(i32::try_from(number).unwrap_or_default())),
        }
        if !event::poll(if worker.is_busy() { SOON } else { TICK })? {
            continue;
        }
        // All keys that are waiting count before the next frame, so that a held key cannot outrun
        // the drawing.
        loop {
            if let Some(msg) = heard(event::read()?, screen)? {
                changed = true;
                match carry(&mut app, msg) {
                    Effect::Quit => return Ok(Ended::Quit),
                    Effect::Copy(text) => screen.copy(&text)?,
                    Effect::Suspend => {
                        screen.suspend()?;
                        let size = screen.terminal.size()?;
                        screen.renew(size)?;
                        carry(&mut app, Msg::Resize(size.width, size.height));
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

/// What the terminal says, as the state takes it.
fn heard(event: Event, screen: &mut Screen) -> io::Result<Option<Msg>> {
    Ok(Some(match event {
        Event::Key(key) => Msg::Key(key),
        Event::Mouse(mouse) => Msg::Mouse(mouse),
        Event::Paste(text) => Msg::Paste(text),
        Event::Resize(width, height) => {
            // Though it may be the size that was known: what was on the screen is lost.
            screen.renew(Size::new(width, height))?;
            Msg::Resize(width, height)
        }
        _ => return Ok(None),
    }))
}

/// The state that a browser begins with.
fn begun(exchanges: &dyn Exchanges, worker: &Worker, setup: &Setup, size: Size) -> App {
    let theme = match setup.colours {
        Colours::Wanted => setup.config.theme.unwrap_or_else(background::theme),
        Colours::Unwanted => Theme::Plain,
    };
    let mut app = App::new(exchanges.title(), size.width, size.height, false)
        .configured(setup.config.clone(), theme);
    if let Some(file) = &setup.bookmarks {
        match Bookmarks::read(file) {
            Ok(bookmarks) => app.remember(bookmarks),
            Err(error) => app.say(format!("the bookmarks cannot be read: {error}")),
        }
    }
    if let Some(file) = &setup.memory {
        app.recall(Memory::read(file));
    }
    if let Some(view) = &setup.view {
        let effect = app.begin_with(view.clone());
        worker.ask(effect);
    }
    if !setup.pasted.is_empty() {
        if let Some(file) = &setup.file {
            app.name_file(file.clone(), setup.pasted.len());
        }
        follow(
            &mut app,
            worker,
            setup,
            Msg::Pasted(Ok(setup.pasted.clone())),
        );
    }
    app
}

/// Updates the state and has done what it asks for.
fn follow(app: &mut App, worker: &Worker, setup: &Setup, msg: Msg) -> Effect {
    let effect = app.update(msg);
    match &effect {
        Effect::None | Effect::Quit | Effect::Copy(_) | Effect::Suspend => {}
        Effect::Stop(work) => worker.stop(*work),
        Effect::Keep => {
            if let Err(error) = keep(app, setup) {
                app.say(format!("this cannot be kept: {error}"));
            }
        }
        _ => worker.ask(effect.clone()),
    }
    // What was typed is kept with each line.
    if let Some(file) = &setup.memory
        && app.has_typed()
    {
        // To go on without is better than to complain at every line.
        drop(app.memory().write(file));
    }
    effect
}

fn keep(app: &App, setup: &Setup) -> io::Result<()> {
    match &setup.bookmarks {
        Some(file) => app.bookmarks().write(file),
        None => Ok(()),
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
        enter()
    }

    /// Clears the screen, so that all of it is drawn next. Nothing is asked of the terminal, which
    /// may not answer.
    fn renew(&mut self, size: Size) -> io::Result<()> {
        self.terminal.resize(Rect::from((Position::ORIGIN, size)))
    }
}

/// Takes the terminal over.
fn enter() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    )
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    let _ = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}
