import { Bytes, CARRIAGE_RETURN, LINE_FEED, SPACE } from '../../base/index.ts'
import { ByteAutomaton, type BytePattern, type BytePlace } from '../../store/index.ts'
import { DOTNET_NAMES, NAMES, SHORT_NAMES } from './plain.ts'

/** The beginnings of the names of months and weekdays, with which a time may begin. */
const TIME_WORDS = 'jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun'.split(' ')
/** The words with which lines of `textForms`, failures and further lines of failures begin (`plain.ts`, `join.ts`). */
const FIRST_WORDS = [
  'PHP |Started |Start-Date: |http |https |h2 |grpcs |ws |wss ',
  "Exception in thread |Traceback |Unhandled |Uncaught |thread '",
  'Caused by: |Suppressed: |Stack trace:|at |goroutine |runtime: ',
].flatMap((words) => words.split('|'))
const FAILURES = ['Error: ', 'Exception: ']

const BYTES = 256
const ASCII_END = 0x80

function bytesWhere(has: (byte: number) => boolean): BytePlace {
  return { bytes: new Set(Array.from({ length: BYTES }, (_, byte) => byte).filter(has)) }
}

/** Returns a place for the characters of ASCII that match a pattern. */
function matching(pattern: RegExp): BytePlace {
  return bytesWhere((byte) => byte < ASCII_END && pattern.test(String.fromCharCode(byte)))
}

/**
 * Returns a place for the characters of ASCII that match a pattern and for all bytes beyond ASCII, which may be parts
 * of a blank.
 */
function matchingOrWide(pattern: RegExp): BytePlace {
  return bytesWhere((byte) => byte >= ASCII_END || pattern.test(String.fromCharCode(byte)))
}

const known = new Map<string, BytePlace>()

/** Returns one place for each list of characters, so that patterns share them. */
function placeOf(chars: string): BytePlace {
  let place = known.get(chars)
  if (place === undefined) {
    place = { bytes: new Set(Bytes.from(chars)) }
    known.set(chars, place)
  }
  return place
}

function exactly(text: string): BytePlace[] {
  return Array.from(text, placeOf)
}

/** Returns places for letters in any case. */
function inAnyCase(letters: string): BytePlace[] {
  return Array.from(letters, (letter) => placeOf(letter.toLowerCase() + letter.toUpperCase()))
}

function anywhere(...places: BytePlace[]): BytePattern {
  return { isAtStart: false, places }
}

function atStart(...places: BytePlace[]): BytePattern {
  return { isAtStart: true, places }
}

function marks(): readonly BytePattern[] {
  const levels = NAMES.split('|')
  const capitals = [...levels, ...SHORT_NAMES.split('|')]
  const letter = matching(/[A-Za-z]/)
  const notLetter = matchingOrWide(/[^A-Za-z]/)
  const digit = matching(/\d/)
  const blank = matchingOrWide(/\s/)
  const beforeCapitals = matchingOrWide(/[\s(<|"=:]/)
  const beforeLevel = matching(/[(<|:="]/)
  const beforeBlank = matchingOrWide(/[\s:\])|=-]/)
  return [
    // Lines that do not begin with a word are not examined further.
    atStart(notLetter),
    atStart(matching(/[A-Z]/), notLetter),
    // The first of several pairs.
    atStart(letter, { ...matching(/[\w.-]/), repeats: true }, ...exactly('=')),
    ...TIME_WORDS.map((word) => atStart(...inAnyCase(word), { ...letter, repeats: true }, matching(/[ ,]/))),
    ...FIRST_WORDS.map((word) => atStart(...exactly(word))),
    ...[...capitals, ...DOTNET_NAMES.split('|')].map((name) => atStart(...inAnyCase(name), notLetter)),
    // The head in which a level is searched is cut after some characters, so the beginning of a longer word may look
    // like a level there.
    ...capitals.map((name) => anywhere(beforeCapitals, ...exactly(name))),
    ...levels.flatMap((name) => [
      anywhere(beforeLevel, ...inAnyCase(name)),
      anywhere(beforeBlank, blank, ...inAnyCase(name)),
    ]),
    ...FAILURES.map((text) => anywhere(...exactly(text))),
    // A date in the second word, and the mnemonic of a Cisco message.
    anywhere(...exactly(' '), digit, digit, digit, digit, ...exactly('-')),
    anywhere(...exactly('%'), matching(/[A-Z]/)),
    // A time may be in brackets, tabs separate labelled values, and control characters may be colours.
    anywhere(...exactly('[')),
    anywhere(bytesWhere((byte) => byte < SPACE && byte !== LINE_FEED && byte !== CARRIAGE_RETURN)),
    anywhere(
      ...exactly('\r'),
      bytesWhere((byte) => byte !== LINE_FEED),
    ),
  ]
}

let made: ByteAutomaton | undefined

/**
 * Returns an automaton that finds the marks of lines that mean more than their text: a form, a time, a level, pairs, or
 * a further line of a failure. `TextRecords` reads every line without marks as text alone. Some lines with marks are
 * also only text.
 */
export function textMarks(): ByteAutomaton {
  return (made ??= new ByteAutomaton(marks()))
}
