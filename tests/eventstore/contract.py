"""The contract of a store as a suite: subclass it, and give it a store."""

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from eventstore import following, memory
from eventstore.chain import Anchor, verify_line
from eventstore.errors import KeyReused, Malformed, Rewritten, StoreError, TooLarge, WrongVersion
from eventstore.events import CombatantJoined, DamageDealt, Noted, RoundStarted
from eventstore.form import LONGEST_LINE
from eventstore.record import Draft, Recorded, encode_record
from eventstore.store import MOST_EVENTS, Store, Verified
from tests.eventstore.followers import Following, together
from tests.eventstore.logs import AT, OPENING, drafts, example, rounds


class StoreContract:
    """Holds what every store must do. `store` has one record, the opening; `another` is a second handle on the same log."""

    @pytest.fixture
    def store(self) -> Iterator[Store]:
        raise NotImplementedError

    @pytest.fixture
    def another(self, store: Store) -> Callable[[], Store]:
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def attentive(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let followers notice at once that they are to stop, so that the tests are short."""
        for module in (following, memory):
            monkeypatch.setattr(module, "ATTENTION", 0.02)

    # ------------------------------------------------------------ reading

    def test_a_new_log_holds_its_opening(self, store: Store) -> None:
        (record,) = store.read()
        assert (record.seq, record.by, record.at, record.event) == (1, "gm", AT, OPENING)
        assert store.head() == Anchor(1, record.hash)

    def test_what_was_appended_is_read_in_order(self, store: Store) -> None:
        for batch in (rounds(1, 1), rounds(2, 3), rounds(5, 1)):
            store.append(batch, by="ana", at=AT)
        got = list(store.read())
        assert [record.seq for record in got] == [1, 2, 3, 4, 5, 6]
        assert [record.event for record in got[1:]] == [draft.event for draft in rounds(1, 5)]
        assert [record.batch for record in got] == [None, None, (1, 3), (2, 3), (3, 3), None]
        assert {record.by for record in got[1:]} == {"ana"}

    def test_reading_starts_anew_each_time_and_after_any_record(self, store: Store) -> None:
        store.append(rounds(1, 4), by="gm", at=AT)
        assert list(store.read()) == list(store.read())
        for after in range(7):
            assert [record.seq for record in store.read(after)] == list(range(after + 1, 6))
        first, second = store.read(), store.read(2)
        assert (next(first).seq, next(second).seq, next(first).seq) == (1, 3, 2)

    def test_reading_goes_on_after_an_anchor_that_stands(self, store: Store, another: Callable[[], Store]) -> None:
        store.append(rounds(1, 2), by="gm", at=AT)
        records, end = list(store.read()), store.head()
        for handle in (store, store, another()):  # the same one twice: it remembers where the log ended
            assert list(handle.read(end)) == []
            for record in records:
                assert list(handle.read(Anchor(record.seq, record.hash))) == records[record.seq :]
            assert list(handle.read(Anchor(0, ""))) == records
        for number in range(3):
            another().append(rounds(3 + 2 * number, 2), by="gm", at=AT)
            assert [record.seq for record in store.read(end)] == [4 + 2 * number, 5 + 2 * number]
            end = store.head()
        for wrong in (Anchor(2, "0" * 64), Anchor(end.seq, "0" * 64), Anchor(99, end.hash)):
            with pytest.raises(Rewritten, match=f"record {wrong.seq} is no longer"):
                list(store.read(wrong))

    def test_every_record_is_chained_to_the_one_before(self, store: Store) -> None:
        store.append(rounds(1, 3), by="gm", at=AT)
        records = list(store.read())
        for before, record in pairwise(records):
            assert verify_line(encode_record(record), before.hash) == record.hash

    def test_another_handle_sees_the_same(self, store: Store, another: Callable[[], Store]) -> None:
        store.append(rounds(1, 3), by="gm", at=AT)
        assert list(another().read()) == list(store.read())
        assert another().head() == store.head()

    # ------------------------------------------------------------ following

    def test_a_follower_gets_what_is_there_and_then_what_comes_later(
        self, store: Store, another: Callable[[], Store]
    ) -> None:
        store.append(rounds(1, 3), by="gm", at=AT)
        with together(Following(store, after) for after in range(6)) as followers:
            for after in range(4):
                assert followers[after].until(4) == list(range(after + 1, 5))
            for handle, count in ((another(), 2), (store, 1), (another(), 3)):
                handle.append(rounds(1, count), by="gm", at=AT)
            for after, follower in enumerate(followers):
                assert follower.until(10) == list(range(after + 1, 11))
                assert follower.records == list(store.read(after))

    def test_the_anchor_before_the_first_record_leads_to_all_of_them(self, store: Store) -> None:
        assert next(store.follow(Anchor(0, ""))).seq == 1

    def test_a_follower_ends_when_it_is_stopped_between_batches(self, store: Store) -> None:
        store.append(rounds(1, 3), by="gm", at=AT)
        store.append(rounds(4, 3), by="gm", at=AT)
        stop, got = threading.Event(), []
        for record in store.follow(stop=stop):
            got.append(record.seq)
            if record.seq == 2:
                stop.set()
        assert got == [1, 2, 3, 4]
        assert list(store.follow(stop=stop)) == []
        with Following(store) as follower:
            follower.until(7)
            follower.stop.set()
            assert follower.ends() is None

    def test_followers_do_not_disturb_each_other_or_the_writers(
        self, store: Store, another: Callable[[], Store]
    ) -> None:
        with together([Following(store), Following(another())]) as (one, two):
            threads = [
                threading.Thread(target=lambda: [store.append(rounds(n, 2), by="gm", at=AT) for n in range(20)])
                for _ in range(2)
            ]
            for thread in threads:
                thread.start()
            assert one.until(81) == two.until(81) == list(range(1, 82))
            for thread in threads:
                thread.join()

    def test_a_follower_goes_on_after_an_anchor_that_stands(self, store: Store) -> None:
        store.append(rounds(1, 1), by="gm", at=AT)
        anchor = store.head()
        store.append(rounds(2, 2), by="gm", at=AT)
        with together([Following(store, anchor), Following(store, store.head())]) as (one, two):
            assert one.until(4) == [3, 4]
            store.append(rounds(4, 1), by="gm", at=AT)
            store.append(rounds(5, 1), by="gm", at=AT)
            assert (one.until(6), two.until(6)) == ([3, 4, 5, 6], [5, 6])
        for wrong, why in (
            (Anchor(2, "0" * 64), "another stands there"),
            (Anchor(9, anchor.hash), "the log ends before it"),
        ):
            with pytest.raises(Rewritten, match=f"record {wrong.seq} is no longer") as caught:
                next(store.follow(wrong))
            assert (caught.value.seq, caught.value.why, str(wrong) in caught.value.hint) == (wrong.seq, why, True)

    # ------------------------------------------------------------ appending

    def test_an_append_says_where_it_stands(self, store: Store) -> None:
        done = store.append(rounds(1, 3), by="gm", at=AT)
        assert (done.first, done.last, done.again) == (2, 4, False)
        assert list(done.records) == list(store.read(1))

    def test_envelopes_are_kept(self, store: Store) -> None:
        own = "2020-02-29T12:00:00.000000Z"
        batch = [Draft(Noted(text="a"), secret=True, key="a"), Draft(Noted(text="b"), at=own)]
        store.append(batch, by="Übeltäter", at=AT)
        one, two = store.read(1)
        assert (one.by, one.secret, one.key, one.at) == ("Übeltäter", True, "a", AT)
        assert (two.by, two.secret, two.key, two.at) == ("Übeltäter", False, None, own)

    def test_salts_are_all_different(self, store: Store) -> None:
        store.append(rounds(1, 20), by="gm", at=AT)
        store.append(rounds(1, 20), by="gm", at=AT)
        assert len({record.salt for record in store.read()}) == 41

    def test_two_handles_append_in_turn(self, store: Store, another: Callable[[], Store]) -> None:
        other = another()
        for number in range(1, 6):
            (store, other)[number % 2].append(rounds(number, 1), by="gm", at=AT)
        assert [record.seq for record in store.read()] == [1, 2, 3, 4, 5, 6]
        assert store.verify().sound

    @pytest.mark.parametrize(
        ("batch", "field"),
        [
            ([], ""),
            (drafts(OPENING), "type"),
            (drafts(RoundStarted(round=1.5)), "round"),  # type: ignore[arg-type]
            (drafts(RoundStarted(round=-1)), "round"),
            (drafts(RoundStarted(round=True)), "round"),
            (drafts(DamageDealt(target="orc-1", amount=10**30)), "amount"),
            (drafts(DamageDealt(target="Orc 1", amount=1)), "target"),
            (drafts(DamageDealt(target="orc-1", amount=1, cause=0)), "cause"),
            (drafts(DamageDealt(target="x" * 65, amount=1)), "target"),
            (drafts(CombatantJoined(combatant="a", sheet={"hp": 1.5})), "hp"),
            (drafts(CombatantJoined(combatant="a", sheet={"hp": None})), "hp"),
            (drafts(Noted(text="\ud800")), "text"),
            (drafts(Noted(text="e\u0301")), "text"),
            (drafts(Noted(text="x" * 10_000)), "text"),
            (drafts({"type": "dreamt"}), "type"),  # type: ignore[arg-type]
            (drafts(7), None),  # type: ignore[arg-type]
            ([Draft(Noted(text="a"), key="k"), Draft(Noted(text="b"), key="k")], "key"),
            ([Draft(Noted(text="a"), key="")], "key"),
            ([Draft(Noted(text="a"), at="yesterday")], "at"),
        ],
    )
    def test_what_is_malformed_is_refused_with_all_that_came_with_it(
        self, store: Store, batch: list[Draft], field: str | None
    ) -> None:
        before = list(store.read())
        for all_of_it in (batch, [*rounds(1, 2), *batch] if batch else batch):
            with pytest.raises(Malformed) as caught:
                store.append(all_of_it, by="gm", at=AT)
            assert field is None or caught.value.field == field
        assert list(store.read()) == before

    def test_nothing_at_all_is_refused_under_a_key_too(self, store: Store) -> None:
        with pytest.raises(Malformed, match="nothing to append"):
            store.append([], by="gm", at=AT, key="k")

    @pytest.mark.parametrize("by", ["", "x" * 121, "e\u0301", "\ud800", "encounterlog"])
    def test_who_writes_must_be_a_proper_word_and_not_the_store_itself(self, store: Store, by: str) -> None:
        with pytest.raises(Malformed, match="by"):
            store.append(rounds(1, 1), by=by, at=AT)

    @pytest.mark.parametrize("words", [{"by": 5}, {"by": "gm", "key": 5}], ids=str)
    def test_who_writes_and_a_key_must_be_text(self, store: Store, words: dict[str, Any]) -> None:
        with pytest.raises(Malformed, match=r"^(by|key): is text, got int$"):
            store.append(rounds(1, 1), **words, at=AT)
        assert store.head().seq == 1

    def test_words_of_120_characters_are_the_longest(self, store: Store) -> None:
        assert store.append(rounds(1, 1), by="ü" * 120, at=AT, key="k" * 120).last == 2
        with pytest.raises(Malformed, match="key: has 121 characters, 1 to 120 are allowed"):
            store.append(rounds(1, 1), by="gm", at=AT, key="k" * 121)

    def test_a_fact_in_another_order_than_its_type_has_is_refused(self, store: Store) -> None:
        """Readers would refuse its line, and with it the whole log."""
        with pytest.raises(Malformed, match="a dict cannot be kept: is not what its type says"):
            store.append(drafts({"text": "x", "type": "noted"}), by="gm", at=AT)  # type: ignore[arg-type]
        assert store.head().seq == 1

    def test_when_it_was_written_must_be_a_moment(self, store: Store) -> None:
        with pytest.raises(Malformed, match="is not a timestamp"):
            store.append(rounds(1, 1), by="gm", at="2026-11-20")

    def test_limits_are_checked_before_anything_is_written(self, store: Store) -> None:
        with pytest.raises(TooLarge) as many:
            store.append(rounds(0, MOST_EVENTS + 1), by="gm", at=AT)
        assert (many.value.size, many.value.limit) == (MOST_EVENTS + 1, MOST_EVENTS)
        sheet = {str(number): "x" * 1000 for number in range(1100)}
        with pytest.raises(TooLarge) as large:
            store.append([*rounds(1, 1), Draft(CombatantJoined(combatant="a", sheet=sheet))], by="gm", at=AT)
        assert (large.value.what, large.value.limit) == ("bytes in one line", LONGEST_LINE)
        assert store.head().seq == 1

    def test_the_longest_line_is_written_and_read(self, store: Store) -> None:
        line = encode_record(store.append([joining("")], by="gm", at=AT).records[0])
        longest = LONGEST_LINE - len(line) - 1
        with pytest.raises(TooLarge) as large:
            store.append([joining("x" * (longest + 1))], by="gm", at=AT)
        assert large.value.size == LONGEST_LINE + 1
        assert store.append([joining("x" * longest)], by="gm", at=AT).records == tuple(store.read(2))

    def test_the_largest_batch_is_read_whole(self, store: Store) -> None:
        done = store.append(rounds(0, MOST_EVENTS), by="gm", at=AT)
        assert (done.first, done.last) == (2, MOST_EVENTS + 1)
        assert sum(1 for _ in store.read()) == MOST_EVENTS + 1

    # ------------------------------------------------------------ on condition

    def test_an_append_on_the_right_condition_is_made(self, store: Store) -> None:
        assert store.append(rounds(1, 2), by="gm", at=AT, after=1).last == 3
        assert store.append(rounds(3, 1), by="gm", at=AT, after=3).last == 4

    @pytest.mark.parametrize("after", [0, 1, 2, 4, 99])
    def test_an_append_on_a_wrong_condition_says_what_came_in_between(self, store: Store, after: int) -> None:
        store.append(rounds(1, 2), by="gm", at=AT)
        with pytest.raises(WrongVersion) as caught:
            store.append(rounds(3, 1), by="gm", at=AT, after=after)
        error = caught.value
        assert (error.expected, error.found) == (after, 3)
        assert error.between == tuple(store.read(after))
        assert store.head().seq == 3

    def test_a_stale_handle_is_told_what_the_other_wrote(self, store: Store, another: Callable[[], Store]) -> None:
        assert store.head().seq == 1
        another().append(rounds(1, 2), by="ana", at=AT)
        with pytest.raises(WrongVersion) as caught:
            store.append(rounds(3, 1), by="gm", at=AT, after=1)
        assert [record.by for record in caught.value.between] == ["ana", "ana"]

    def test_an_append_that_others_preceded_is_decided_with_their_records(
        self, store: Store, another: Callable[[], Store]
    ) -> None:
        store.head()
        another().append(rounds(1, 2), by="ana", at=AT)
        between: list[tuple[Recorded, ...]] = []

        def again(records: tuple[Recorded, ...]) -> Sequence[Draft]:
            between.append(records)
            return rounds(len(records) + 1, 1)

        done = store.append(rounds(1, 1), by="gm", at=AT, after=1, key="k", again=again)
        assert [[record.seq for record in records] for records in between] == [[2, 3]]
        assert (done.first, done.records[0].event, done.records[0].key) == (4, rounds(3, 1)[0].event, "k")
        assert store.append(rounds(9, 1), by="gm", at=AT, after=4, again=again).first == 5
        assert len(between) == 1

    def test_an_append_that_is_refused_again_raises_why_and_writes_nothing(
        self, store: Store, another: Callable[[], Store]
    ) -> None:
        store.head()
        another().append(rounds(1, 1), by="ana", at=AT)

        def again(records: tuple[Recorded, ...]) -> Sequence[Draft]:
            raise LookupError(records[-1].seq)

        with pytest.raises(LookupError, match="2"):
            store.append(rounds(1, 1), by="gm", at=AT, after=1, again=again)
        assert store.head().seq == 2
        assert store.append(rounds(2, 1), by="gm", at=AT).first == 3

    def test_of_eight_writers_who_decide_again_none_is_refused(
        self, store: Store, another: Callable[[], Store]
    ) -> None:
        store.head()
        failed: list[BaseException] = []

        def write(handle: Store) -> None:
            try:
                for _ in range(10):
                    handle.append(rounds(1, 1), by="gm", at=AT, after=1, again=lambda _: rounds(2, 1))
            except BaseException as error:  # noqa: BLE001 – for the assertion
                failed.append(error)

        threads = [threading.Thread(target=write, args=(handle,)) for handle in (store, *(another() for _ in range(7)))]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert (failed, store.head().seq) == ([], 81)

    # ------------------------------------------------------------ by key

    def test_a_key_stands_on_the_first_record_of_its_batch(self, store: Store) -> None:
        store.append(rounds(1, 2), by="gm", at=AT, key="begin")
        assert [record.key for record in store.read()] == [None, "begin", None]

    def test_a_retry_with_the_same_key_adds_nothing(self, store: Store, another: Callable[[], Store]) -> None:
        first = store.append(rounds(1, 2), by="gm", at=AT, after=1, key="begin")
        store.append(rounds(3, 1), by="gm", at=AT)
        for handle in (store, another()):
            again = handle.append(rounds(1, 2), by="ana", at="2027-01-01T00:00:00.000000Z", after=1, key="begin")
            assert (again.first, again.last, again.records, again.again) == (2, 3, first.records, True)
        assert store.head().seq == 4

    def test_a_fact_that_stands_alone_is_repeated_alone(self, store: Store) -> None:
        for number in range(3):
            store.append(rounds(number, 1), by="gm", at=AT, key=f"round {number}")
        again = store.append(rounds(1, 1), by="gm", at=AT, key="round 1")
        assert (again.first, again.last, len(again.records), again.again) == (3, 3, 1, True)

    def test_keys_on_single_drafts_work_alike(self, store: Store) -> None:
        batch = [Draft(Noted(text="a"), key="a"), Draft(Noted(text="b"), key="b"), Draft(Noted(text="c"))]
        store.append(batch, by="gm", at=AT)
        assert store.append(batch, by="gm", at=AT).again
        assert store.append(batch, by="gm", at=AT, key="a").again
        assert store.head().seq == 4

    @pytest.mark.parametrize(
        ("batch", "seq", "why"),
        [
            ([Draft(Noted(text="a"), key="a"), Draft(Noted(text="x"), key="b")], 2, "fact 2 of the append is another"),
            ([Draft(Noted(text="a"), key="a"), Draft(Noted(text="b"), key="c")], 2, "fact 2 of the append is another"),
            ([Draft(Noted(text="a"), key="a", secret=True), Draft(Noted(text="b"), key="b")], 2, "fact 1"),
            ([Draft(Noted(text="a"), key="a")], 2, "one of 2 facts appended at once, only 1"),
            ([Draft(Noted(text="b"), key="b")], 3, "one of 2 facts appended at once, only 1"),
            (
                [Draft(Noted(text="x")), *drafts(Noted(text="y")), Draft(Noted(text="b"), key="b")],
                3,
                "the others were not",
            ),
            ([Draft(Noted(text="x"), key="c")], 4, "there it stands for another fact"),
        ],
    )
    def test_a_key_with_other_facts_is_refused(self, store: Store, batch: Sequence[Draft], seq: int, why: str) -> None:
        store.append([Draft(Noted(text="a"), key="a"), Draft(Noted(text="b"), key="b")], by="gm", at=AT)
        store.append(drafts(Noted(text="c")), by="gm", at=AT, key="c")
        with pytest.raises(KeyReused, match=why) as caught:
            store.append(batch, by="gm", at=AT)
        assert caught.value.seq == seq
        assert store.head().seq == 4

    def test_a_key_beside_the_first_drafts_own_is_refused(self, store: Store) -> None:
        with pytest.raises(Malformed, match="key of its own"):
            store.append([Draft(Noted(text="a"), key="a")], by="gm", at=AT, key="b")

    def test_a_refused_append_leaves_its_key_free(self, store: Store) -> None:
        with pytest.raises(WrongVersion):
            store.append(rounds(1, 1), by="gm", at=AT, after=7, key="k")
        assert not store.append(rounds(2, 1), by="gm", at=AT, key="k").again

    # ------------------------------------------------------------ checking

    def test_a_log_of_every_type_verifies(self, store: Store, every_type: list[Draft]) -> None:
        store.append(every_type, by="gm", at=AT)
        found = store.verify()
        assert found == Verified(43, 2, store.head(), (), ())
        assert store.verify(store.head()).anchor == "matches"
        assert store.verify(Anchor(1, "0" * 64)).anchor == "rewritten"
        assert store.verify(Anchor(44, "0" * 64)).anchor == "cut off"

    @pytest.fixture
    def every_type(self) -> list[Draft]:
        from eventstore.events import EVENT_TYPES
        from eventstore.form import event_of, read_json

        return drafts(*(event_of(read_json(example(event))) for event in EVENT_TYPES[1:]))


def joining(text: str) -> Draft:
    return Draft(CombatantJoined(combatant="a", sheet={"text": text}))


def outcome(work: Callable[[], Any]) -> Any:
    try:
        return work()
    except StoreError as error:
        return error
