//! Commands and what they print, as documents: `tests/cli/*.trycmd` and the README.

#[test]
fn commands_print_what_the_transcripts_show() {
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .case("tests/cli/*.trycmd")
        .case("README.md");
}
