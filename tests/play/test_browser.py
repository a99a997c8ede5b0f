"""The page in a real browser: whole games by clicks, by keys and by typed moves; two tabs; reload; look back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.play.driver import Person
from tests.play.games import LAST_ROUND, SHORT
from timeline_env import play
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.play.analysis import Analysis
from timeline_env.play.session import Session
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE
from timeline_env.twilight_struggle import board

Open = Callable[..., Session]
PLACING = "t5.r3 us defcon:3 Thailand:0/2 Canada:0/2 hand.us:25,26 lasting:16,31=us"
"""Where a card is placed as influence, far apart on the map."""


@pytest.fixture
def table() -> Iterator[Open]:
    """Opens tables, and closes them after the test."""
    opened: list[Session] = []

    def make(game: str, seats: list[str] | None, **options: Any) -> Session:
        opened.append(play.open(game, seats, port=0, browser=False, **options))
        return opened[-1]

    yield make
    for session in opened:
        session.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Callable[..., Person]]:
    """Opens tabs of a person each, in which nothing may go wrong."""
    context = browser.new_context(viewport={"width": 1100, "height": 700})
    people: list[Person] = []

    def make(address: str, seed: int = 0) -> Person:
        people.append(Person(context.new_page(), address, seed))
        return people[-1]

    yield make
    context.close()
    assert [complaint for person in people for complaint in person.complaints] == []


def play_out(person: Person, decide: Callable[[Person], Any], most: int = 400) -> int:
    """Decide until the game is over; gives how many decisions that were."""
    for count in range(most):
        if person.wait() == "over":
            return count
        decide(person)
    raise AssertionError(f"the game is not over after {most} decisions")


def near_the_end(game: Game, players: int) -> str:
    """A position a few decisions before the end of a game of random players, in the notation."""
    if game is TWILIGHT_STRUGGLE:
        return LAST_ROUND
    batch, positions = Batch(Setting(game, players, SHORT), 1, seed=7), []
    while not batch.done[0]:
        positions.append(batch.states.copy())
        actions = np.flatnonzero(batch.action_mask[0])
        batch.step([int(actions[len(positions) * 7 % len(actions)])], restart=False)
    return game.notation.to_text(batch.rules, positions[-5][0])


@pytest.mark.parametrize("seats, decide", [(2, Person.click_once), (2, Person.press_once), (4, Person.type_once)])
def test_a_whole_game_of_timeline_is_played(table: Open, tab: Any, seats: int, decide: Callable[[Person], Any]) -> None:
    session = table("timeline", ["person"] + ["random"] * (seats - 1), seed=2, rules=SHORT)
    session.room.pace = 0.0
    person, on_board = tab(session.addresses["yellow"], 2), []
    assert play_out(person, lambda person: on_board.append(decide(person))) > 5
    assert decide is not Person.click_once or sum(on_board) > 2
    assert "The game is over" in person.page.locator("#prompt").inner_text()
    assert session.table.to_act == -1


@pytest.mark.parametrize(
    "game, players, decide",
    [
        (TIMELINE, 4, Person.click_once),
        (TIMELINE, 6, Person.click_once),
        (TIMELINE, 4, Person.press_once),
        (TIMELINE, 6, Person.press_once),
        (TIMELINE, 2, Person.type_once),
        (TIMELINE, 6, Person.type_once),
        (TWILIGHT_STRUGGLE, 2, Person.click_once),
        (TWILIGHT_STRUGGLE, 2, Person.press_once),
        (TWILIGHT_STRUGGLE, 2, Person.type_once),
    ],
    ids=lambda value: getattr(value, "__name__", getattr(value, "name", value)),
)
def test_a_game_is_played_to_its_end_in_every_way(
    table: Open, tab: Any, game: Game, players: int, decide: Callable[[Person], Any]
) -> None:
    rules = SHORT if game is TIMELINE else None
    session = table(game.name, None, position=near_the_end(game, players), rules=rules)
    assert play_out(tab(session.addresses["copy"], 1), decide) > 1
    assert session.table.to_act == -1


def test_two_tabs_play_two_seats_and_neither_sees_the_others_hand(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    yellow, orange, watcher = (tab(session.addresses[name]) for name in ("yellow", "orange", "watch"))
    assert yellow.wait() == "yours"
    expect(orange.body).to_have_attribute("data-status", "waiting")
    watcher.wait_for_view()
    cards = [
        [card.get_attribute("aria-label") for card in person.page.locator("#trays .card svg, #trays button").all()]
        for person in (yellow, orange, watcher)
    ]
    assert cards[0] and cards[1] and cards[2] == [] and cards[0] != cards[1]
    yellow.type_once()
    for person in (orange, watcher):
        expect(person.page.locator("#log li")).to_have_count(1)


def test_seven_tabs_of_one_browser_hinder_nobody(table: Open, browser: Any) -> None:
    """A browser opens at most six connections to a server: tabs that nobody sees must not keep them."""
    session = table("timeline", ["person"] * 2, seed=3)
    context = browser.new_context()
    seen = Person(context.new_page(), session.addresses["yellow"])
    context.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
    others = [Person(context.new_page(), session.addresses["watch"]) for _ in range(6)]
    for person in others:
        person.wait_for_view()
    seen.type_once()
    for person in others:
        expect(person.page.locator("#log li")).to_have_count(1)
    context.close()
    assert not any(person.complaints for person in (seen, *others))


def test_what_was_meant_for_a_position_that_has_passed_is_refused(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person = tab(session.addresses["yellow"])
    person.wait()
    session.table.act(0, session.table.cookie, "pass")  # the page is not told of it
    person.page.locator("#move").fill("pass")
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#error")).not_to_be_empty()
    expect(person.body).to_have_attribute("data-status", "waiting")
    assert [entry.move for entry in session.table.log] == ["pass"]
    person.complaints.clear()  # the browser tells of the refusal


def test_an_address_with_a_damaged_position_says_so(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person = tab(f"{session.addresses['yellow']}&p=%ZZ")
    expect(person.page.locator("#error")).to_contain_text("this is not a position", timeout=60_000)
    assert person.wait() == "yours"
    person.page.evaluate(f"location.hash = {session.addresses['orange'].partition('#')[2]!r}")
    expect(person.page.locator("#who")).to_have_text("You play orange.", timeout=60_000)
    person.complaints.clear()  # the browser tells of the refusal


def test_a_reload_loses_nothing_and_one_looks_back(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "random"], seed=3)
    person = tab(session.addresses["yellow"])
    person.wait()
    for _ in range(3):
        person.type_once()
        person.wait()
    told = person.page.locator("#log").inner_text()
    person.page.reload()
    assert person.wait() == "yours" and person.page.locator("#log").inner_text() == told
    person.page.locator("#look").fill("1")
    expect(person.body).to_have_attribute("data-status", "past")
    assert person.page.locator(".hit.hot").count() == 0
    person.page.locator("#present").click()
    expect(person.body).to_have_attribute("data-status", "yours")
    person.page.locator("#safe").check()
    person.page.reload()
    expect(person.body).to_have_class("safe")


def test_an_open_page_goes_on_when_the_game_is_resumed(table: Open, tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    session = table("timeline", ["person", "person"], seed=3, path=path)
    person = tab(session.addresses["yellow"])
    person.wait()
    person.type_once()
    other = tab(session.addresses["orange"])
    other.wait_for_view()
    other.page.locator("#trying summary").click()
    other.page.locator("#analyse").click()
    expect(other.page.locator("#banner")).to_contain_text("nothing flows back")
    decided = [entry.move for entry in session.table.played]
    session.close()
    for each in (person, other):
        expect(each.page.locator("#error")).to_contain_text("cannot be reached")
    again = play.resume(path, browser=False)
    try:
        for each in (person, other):
            expect(each.page.locator("#error")).to_be_empty(timeout=20_000)
        other.page.locator("#redeal").click()
        expect(other.page.locator("#error")).to_contain_text("the copy is gone: go back to the game")
        other.page.locator("#leave").click()
        expect(other.page.locator("#banner")).to_be_empty()
        assert [entry.move for entry in again.table.played] == decided
        expect(person.page.locator("#log li")).to_have_count(1)
    finally:
        for each in (person, other):
            each.page.goto("about:blank")
            each.complaints.clear()
        again.close()
    person.complaints.clear()  # the browser tells of the requests that nobody answered


def test_a_page_that_did_not_notice_a_restart_shows_what_is_decided(table: Open, browser: Any, tmp_path: Path) -> None:
    """A tab that nobody sees asks now and then, and may not ask while nobody answers."""
    path = tmp_path / "game.json"
    session = table("timeline", ["person", "person"], seed=3, path=path)
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(document, 'hidden', { get: () => true })")
    person = Person(context.new_page(), session.addresses["orange"])
    person.wait_for_view()
    for number in (1, 2):
        session.table.commit(int(session.table.batch.action_mask[0].argmax()))
        session.room.loop.call_soon_threadsafe(session.room.keep_and_tell)
        expect(person.page.locator("#log li")).to_have_count(number)
    held: list[Any] = []
    person.page.route("**/view?*", lambda route: held.append(route))  # what it asks is answered after the restart
    person.page.wait_for_timeout(2500)
    session.close()
    again = play.resume(path, browser=False)
    try:
        again.table.commit(int(again.table.batch.action_mask[0].argmax()))
        person.page.unroute("**/view?*")  # which lets go on what was held
        expect(person.page.locator("#log li")).to_have_count(3)
    finally:
        context.close()
        again.close()


def test_a_page_asks_for_nothing_until_the_game_is_set_up(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person, setting_up = tab("about:blank"), [True]

    def answer(route: Any) -> None:
        if setting_up[0]:
            route.fulfill(json={"status": "starting", "prompt": "Compiling the rules"})
        else:
            route.continue_()

    person.page.route("**/view*", answer)
    person.page.goto(session.addresses["yellow"])
    expect(person.page.locator("#prompt")).to_have_text("Compiling the rules")
    asking = person.page.locator("#pace, #analyse, #think, #look, #back, #forth, #move")
    assert [each.is_enabled() and each.is_visible() for each in asking.all()] == [False] * 7
    setting_up[0] = False
    assert person.wait() == "yours"
    expect(person.page.locator("#pace")).to_be_enabled()
    expect(person.page.locator("#look")).to_be_enabled()


def test_an_answer_for_a_copy_that_was_left_does_not_come_back(
    table: Open, tab: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking, thought = threading.Event(), threading.Event()
    decide = Analysis.decide

    def slow(*arguments: Any) -> None:
        thinking.set()
        thought.wait(60)
        decide(*arguments)

    monkeypatch.setattr(Analysis, "decide", slow)
    person = tab(table("timeline", ["person", "person"], seed=3).addresses["yellow"])
    person.wait()
    page = person.page
    page.locator("#trying summary").click()
    page.locator("#analyse").click()
    page.locator("#minds summary").click()
    with page.expect_response(lambda told: '"decide"' in (told.request.post_data or "")) as answered:
        page.locator("#decide").click()
        assert thinking.wait(20)
        page.locator("#leave").click()
        expect(page.locator("#banner")).to_be_empty()
        person.type_once()  # in the game
        expect(page.locator("#log li")).to_have_count(1)
        thought.set()
    answered.value.finished()
    page.wait_for_timeout(300)
    expect(page.locator("#banner")).to_be_empty()


def test_a_panel_stays_open_when_its_count_changes(table: Open, tab: Any) -> None:
    person = tab(table("twilight_struggle", None, position=PLACING).addresses["copy"])
    person.wait_for_view()
    panel = person.page.locator('#panels details[data-name="Discards"]')
    panel.locator("summary").click()
    before = panel.locator("summary").inner_text()
    for _ in range(12):
        person.type_once()
        if panel.locator("summary").inner_text() != before:
            break
    assert panel.locator("summary").inner_text() != before
    expect(panel).to_have_attribute("open", "")


def test_the_first_decision_of_a_game_is_read_out(table: Open, tab: Any) -> None:
    person = tab(table("timeline", ["person", "person"], seed=3).addresses["yellow"])
    person.wait()
    person.type_once()
    expect(person.page.locator("#news")).not_to_be_empty()


def test_places_of_the_board_are_reached_by_arrows(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person = tab(session.addresses["yellow"])
    person.wait()
    places = person.page.locator(".hit.hot")
    places.first.focus()
    reached = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowLeft"):
        person.page.keyboard.press(key)
        reached.add(person.page.evaluate("document.activeElement.dataset.target"))
    assert len(reached) > 2 and None not in reached
    assert places.and_(person.page.locator('[tabindex="0"]')).count() == 1
    person.page.keyboard.press("Enter")
    person.settle()
    assert session.table.played or person.page.locator("#path button").count()


def test_a_move_is_taken_back_and_a_wrong_one_is_refused_in_words(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person = tab(session.addresses["yellow"])
    person.wait()
    person.page.locator(".hit.hot[data-target^=node]").first.click()
    person.page.locator("#undo").click()
    expect(person.page.locator("#log li.undone")).to_have_count(1)
    person.page.locator("#move").fill("<img src=x onerror=alert(1)>")
    person.page.keyboard.press("Enter")
    expect(person.page.locator("#error")).to_contain_text("is not a legal move here")
    expect(person.page.locator("#move")).to_have_value("<img src=x onerror=alert(1)>")  # to be mended
    person.complaints.clear()  # the browser tells of the refusal


def test_a_key_that_is_held_down_decides_once(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    person = tab(session.addresses["yellow"])
    person.wait()
    for _ in range(3):
        person.page.keyboard.down("1")  # from the second time on as if it were held
        person.settle()
    person.page.keyboard.up("1")
    expect(person.page.locator("#choices")).to_have_text("1yes, end the turn")
    assert not session.table.played


def test_a_zoomed_map_stays_where_it_is_and_the_focus_on_its_country(table: Open, tab: Any) -> None:
    session = table("twilight_struggle", None, position=PLACING)
    person = tab(session.addresses["copy"])
    person.wait()
    page = person.page
    for move in ("card 25", "operations"):  # placing is all that it can do
        cookie = person.cookie
        page.locator("#move").fill(move)
        page.keyboard.press("Enter")
        person.wait_for_news(cookie)
        person.settle()
    for _ in range(6):
        page.locator('[data-zoom="1"]').click()
    thailand = page.locator(f'.hit.hot[data-target="country-{board.COUNTRY_NAMES.index("Thailand")}"]')
    thailand.scroll_into_view_if_needed()
    scrolled = "[document.querySelector('#board').scrollLeft, document.querySelector('#board').scrollTop]"
    before, cookie = page.evaluate(scrolled), person.cookie
    thailand.click()
    person.wait_for_news(cookie)
    person.settle()
    assert page.evaluate(scrolled) == before and before[0] > 0
    expect(thailand).to_be_focused()


def test_who_watches_is_offered_nothing_that_is_refused(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    watcher = tab(session.addresses["watch"])
    watcher.wait_for_view()
    expect(watcher.page.locator("#pace")).to_be_disabled()
    expect(watcher.page.locator("#analyse")).to_be_disabled()


def test_all_is_told_as_long_as_the_page_is_open(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    rng = np.random.default_rng(3)
    for _ in range(45):  # more than a view tells of
        session.table.commit(int(rng.choice(np.flatnonzero(session.table.batch.action_mask[0]))))
    person = tab(session.addresses[session.table.game.seat_names[session.table.to_act]])
    person.wait()
    page, entries = person.page, person.page.locator("#log li")
    expect(page.locator("#earlier")).to_be_visible()
    page.locator("#back").click()
    expect(page.locator("#when")).to_have_text("44 of 45")
    page.locator("#earlier").click()
    expect(page.locator("#earlier")).to_be_hidden()
    expect(page.locator("#when")).to_have_text("44 of 45")
    told = entries.count()
    page.locator("#present").click()
    expect(page.locator("#when")).to_have_text("45 of 45")
    person.type_once()
    expect(page.locator("#earlier")).to_be_hidden()
    assert entries.count() >= told > 40


def test_a_page_without_a_secret_says_so(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    tab(session.addresses["yellow"]).wait()
    page = session.addresses["yellow"].partition("#")[0]
    person = tab(page + "#wrong")
    expect(person.page.locator("#error")).to_contain_text("secret")
    person.complaints.clear()  # the browser tells of the refusal
    assert tab(page).wait() == "yours"  # by the secret that opened something


def test_a_position_is_tried_out_and_the_game_stays_as_it_was(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    before = session.table.now.tobytes()
    person = tab(session.addresses["yellow"])
    person.wait()
    page = person.page
    page.locator("#minds summary").click()
    page.locator("#mind").select_option("projector")
    page.locator("#think").click()
    expect(page.locator("#thoughts tr").first).to_be_visible()
    expect(page.locator("#choices .share").first).to_be_visible()
    page.locator("#trying summary").click()
    page.locator("#analyse").click()
    expect(page.locator("#banner")).to_contain_text("nothing flows back")
    for _ in range(3):  # for whichever seat it is
        person.type_once()
    page.locator("#decide").click()
    expect(page.locator("#log li")).to_have_count(4)
    page.locator("#undo").click()
    expect(page.locator("#log li.undone")).to_have_count(1)
    page.locator("#position").fill("2p phase:1.0 nonsense")
    page.locator("#edit").click()
    expect(page.locator("#error")).to_contain_text("this is not a position")
    expect(page.locator("#error")).to_be_in_viewport()  # though the page is scrolled down
    expect(page.locator("#position")).to_have_value("2p phase:1.0 nonsense")
    page.locator("#position").fill("2p phase:1.0 turn:y y:0/energy=20 0:org/occurred")
    page.locator("#edit").click()
    expect(page.locator("#prompt")).to_contain_text("20 energy left")
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as at another machine
    page.locator("#share").click()
    expect(page.locator("#copied")).to_contain_text(f"http://127.0.0.1:{session.port}/#")
    opened = tab(page.locator("#copied").inner_text())  # by the secret that opened something
    expect(opened.page.locator("#prompt")).to_contain_text("20 energy left")
    opened.page.close()
    page.locator("#banner button").click()
    expect(page.locator("#banner")).to_be_empty()
    assert person.wait() == "yours" and session.table.now.tobytes() == before
    person.complaints.clear()  # the browser tells of the refusal


def test_an_address_opens_its_position_where_only_a_copy_is_shown(table: Open, tab: Any) -> None:
    session = table("timeline", None, position="2p phase:1.0 turn:y y:0/energy=20 0:org/occurred")
    page = tab(session.addresses["copy"]).page
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as at another machine
    expect(page.locator("#prompt")).to_contain_text("20 energy left")
    page.locator("#trying summary").click()
    page.locator("#share").click()
    address = page.locator("#copied").inner_text()
    page.locator("#position").fill("2p phase:1.0 turn:y y:0/energy=10 0:org/occurred")
    page.locator("#edit").click()
    expect(page.locator("#prompt")).to_contain_text("10 energy left")
    expect(tab(address).page.locator("#prompt")).to_contain_text("20 energy left")
    expect(page.locator("#prompt")).to_contain_text("20 energy left")  # all see the same


def test_a_view_that_does_not_come_is_told_and_the_copy_stays(table: Open, tab: Any) -> None:
    session = table("timeline", ["person", "person"], seed=3)
    rng = np.random.default_rng(3)
    for _ in range(45):  # more than a view tells of
        session.table.commit(int(rng.choice(np.flatnonzero(session.table.batch.action_mask[0]))))
    before = session.table.now.tobytes()
    person = tab(session.addresses[session.table.game.seat_names[session.table.to_act]])
    assert person.wait() == "yours"
    page, failing = person.page, [True]

    def answer(route: Any) -> None:
        asked_once = "after=" not in route.request.url  # else it is what the page follows the game with
        if failing[0] and asked_once:
            route.fulfill(status=409, json={"error": "no view today"})
        else:
            route.continue_()

    page.route("**/view?*", answer)
    page.locator("#earlier").click()
    expect(page.locator("#error")).to_have_text("no view today")
    page.locator("#trying summary").click()
    page.locator("#analyse").click()
    expect(page.locator("#banner")).to_contain_text("nothing flows back")
    expect(page.locator("#error")).to_be_empty()
    page.locator("#leave").click()
    expect(page.locator("#error")).to_have_text("no view today")
    person.type_once()  # still in the copy
    assert session.table.now.tobytes() == before
    failing[0] = False
    page.locator("#leave").click()
    expect(page.locator("#banner")).to_be_empty()
    page.locator("#earlier").click()
    expect(page.locator("#earlier")).to_be_hidden()
    expect(page.locator("#error")).to_be_empty()
    person.complaints[:] = [
        each for each in person.complaints if "409" not in each
    ]  # the browser tells of the refusals


@pytest.mark.parametrize("game", ["timeline", "twilight_struggle"])
def test_every_state_of_the_page_is_accessible(table: Open, browser: Any, game: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    session = table(game, ["person", "person"], seed=3)
    # The page's own policy would keep the checker's script out.
    context = browser.new_context(viewport={"width": 1300, "height": 900}, bypass_csp=True)
    person = Person(context.new_page(), session.addresses[session.table.game.seat_names[0]])
    person.wait()
    page, found = person.page, []

    def check(state: str) -> None:
        for violation in Axe().run(page).response["violations"]:
            found.append(f"{state}: {violation['id']}: {violation['nodes'][0]['html'][:150]}")

    check("at the beginning")
    page.locator("#safe").check()
    page.locator("#choices button").first.click()
    check("in safe colours, with a click made")
    page.keyboard.press("Escape")
    for details in page.locator("details").all():
        details.locator("summary").click()
    page.locator("#choices button").first.click()
    person.type_once()
    page.locator("#think").click()
    expect(page.locator("#thoughts tr").first).to_be_visible(timeout=60_000)
    check("with all panels open and thoughts shown")
    page.locator("#analyse").click()
    expect(page.locator("#banner")).to_contain_text("nothing flows back")
    page.set_viewport_size({"width": 360, "height": 800})
    check("a copy on a narrow screen")
    boxes = [page.locator(place).bounding_box() for place in ("#ask", "#typed button", "#zoom", "#board")]
    assert boxes[1]["x"] + boxes[1]["width"] < boxes[0]["x"] + boxes[0]["width"] - 8
    assert boxes[2]["y"] + boxes[2]["height"] <= boxes[3]["y"]
    person.type_once()
    page.locator("#position").fill("nonsense")
    page.locator("#edit").click()
    expect(page.locator("#error")).to_contain_text("this is not a position")
    page.locator("#look").fill("0")
    expect(person.body).to_have_attribute("data-status", "past")
    check("looking back, with a refusal")
    Person(page, session.addresses["watch"])
    expect(page.locator("#who")).to_have_text("You are watching.")
    check("watching")
    if game == "timeline":
        over = table(game, None, position=near_the_end(TIMELINE, 2), rules=SHORT)
        play_out(Person(page, over.addresses["copy"]), Person.type_once)
        check("when the game is over")
    context.close()
    assert found == []
