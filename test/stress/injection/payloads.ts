import { present, type Random } from '../../../src/base/index.ts'
import { compareText, fold, isWordCodePoint, toRangeNumber, wordsOf } from '../../../src/data/index.ts'

/** Complete attack strings. */
const attacks = [
  `'; DROP TABLE logs; --`,
  `" OR 1=1 --`,
  `') UNION SELECT sql FROM sqlite_schema --`,
  `x' AND (SELECT count(*) FROM documents) > 0 /*`,
  `1); ATTACH DATABASE '/tmp/x' AS y; --`,
  `' || load_extension('x') || '`,
  `\\'; PRAGMA writable_schema = ON; --`,
  `$$; DROP TABLE logs; $$`,
  `[logs]; VACUUM INTO 'x'`,
  '`logs`',
  '${process.exit(1)}',
  '`+process.env+`',
  `"+require('child_process')+"`,
  '");throw 1;("',
  '</script><script>alert(1)</script>',
  '__proto__',
  'constructor',
  'prototype.polluted',
  'toString',
  'hasOwnProperty',
  '__defineGetter__',
  '{0}{1}{*}',
  '?1',
  '$1',
  ':name',
  '@name',
  '%',
  '_%_',
  "100%' ESCAPE '\\",
  'NEAR(a b, 2)',
  'a NEAR/2 b',
  'x" * OR "y',
  'words : x',
  '^x',
  'AND OR NOT',
  '(a OR b) NOT c *',
  '"phrase" + x*',
  '$.a[0]."b"',
  '$[#-1]',
  "$.x'||'",
  '..//..\\..',
  '\u2019; DROP TABLE logs; \u2014',
  '\u201c OR \u201d',
  '\uff07 OR 1\uff1d1',
  '\u02bc\u02ee',
  '\u2028alert(1)\u2029',
  '\u202e\u0000\u202c',
  'a\u0000b\u0000',
  '\u001b[31m\r\n\t',
  '\ufeff\u200b\u00ad',
  '😀\' OR "💥',
  'DRop\u212a\u0130\u0131ſ',
  'n\u0303\u0301; --',
  '-- comment',
  '/* x */',
  '# x',
  ';;;;',
] as const

/** Parts from which random attack strings are composed. */
const pieces = [
  ...attacks,
  ...'\'"`;\\%_*?$:@#()[]{}<>=!|&^~+-/,. \t\n\0'.split(''),
  '--',
  '/*',
  '*/',
  '||',
  "''",
  '""',
  '``',
  'SELECT',
  'union',
  'OR 1=1',
  'NULL',
  'x',
  '0',
  'ä',
  '日本',
  '\u2028',
] as const

export interface PayloadOptions {
  /** Matches characters to leave out, because they have a special meaning in the target place. */
  readonly without?: RegExp | undefined
}

/** Draws a string that tries to break out of its place. It is never empty, a number or a time. */
export function attackText(random: Random, { without }: PayloadOptions = {}): string {
  for (;;) {
    let text = ''
    const dice = random.next()
    if (dice < 0.4) text = random.pick(attacks)
    else if (dice < 0.5) text = `error${random.pick(attacks)}`
    else {
      const count = 1 + random.below(6)
      for (let i = 0; i < count; i++) text += random.pick(pieces)
      if (dice > 0.99) text += random.pick(pieces).repeat(1 + random.below(60))
    }
    if (without !== undefined) text = text.replaceAll(without, '')
    if (isHostile(text)) return text
  }
}

function isHostile(text: string): boolean {
  return /^[a-z_.]*(__|constructor|prototype|toString|hasOwn)|[^\w\s.]|\0/i.test(text) && isPlainText(text)
}

/** True if a string cannot be read as a number, a time or a wildcard. Only then is it compiled like other strings. */
function isPlainText(text: string): boolean {
  return text.trim() !== '' && toRangeNumber(text) === undefined && !/^\*+$/.test(text)
}

/** Characters that are special in some language. `*` and `.` are left out, since they may be wildcards in a query. */
const hostile = '\'"`;\\%?$:@#()[]{}=!|&^~+-/, '.split('')
/** Control characters, for which some databases search differently. */
const controls = '\t\n\r\u001b'.split('')
const CONTROL = /\p{Cc}/u

/** Returns another attack of the same class: every special character is replaced by a random one. */
export function variantOf(attack: string, random: Random): string {
  const text = attack.replaceAll(/[^\w.*<>\0\u0080-\u{10ffff}]/gu, (char) =>
    random.pick(CONTROL.test(char) ? controls : hostile),
  )
  return isHostile(text) ? text : attack
}

function twinOf(char: string, isStarKept: boolean): string {
  const point = char.codePointAt(0) ?? 0
  if (char === '\0' || char === '.' || char === '_' || (isStarKept && char === '*')) return char
  if (point > 0xffff) return isWordCodePoint(point) ? '\u{20000}' : '\u{1f600}'
  if (point > 0x7f) return isWordCodePoint(point) ? (char.toLowerCase() === char ? 'ä' : 'Ä') : '\u2013'
  if (/[ik]/i.test(char)) return char < 'a' ? 'I' : 'i'
  if (/[a-z]/i.test(char)) return char < 'a' ? 'X' : 'x'
  if (/\d/.test(char)) return '0'
  return CONTROL.test(char) ? '\u0001' : '-'
}

/**
 * Returns the twin of an attack: a harmless string for which a correct compiler must write the same statement. Attacks
 * with the same twin form a class. Characters are replaced one by one: letters by letters, control characters by
 * U+0001, all other special characters by hyphens. Returns `undefined` if the result could be read as a number or a
 * wildcard.
 *
 * Everything on which a statement may rightly depend stays the same:
 *
 * - the length, and where words begin and end;
 * - which letters are capitals, and whether all characters are ASCII;
 * - whether there is an `i` or a `k`, to which some non-ASCII letters fold;
 * - whether there is a NUL;
 * - the first character if it is harmless, since names are sorted.
 */
export function harmlessTwin(attack: string, isStarKept = false): string | undefined {
  let twin = ''
  for (const char of attack) twin += twin === '' && /[a-z0-9]/i.test(char) ? char : twinOf(char, isStarKept)
  return isPlainText(twin) ? twin : undefined
}

/**
 * True if an attack and its harmless twin sort the same way relative to each of the others. Statements sort lists of
 * names.
 */
export function sortsAlike(attack: string, twin: string, others: readonly string[]): boolean {
  return others.every((other) => Math.sign(compareText(attack, other)) === Math.sign(compareText(twin, other)))
}

const wordsIn = (text: string): readonly string[] => wordsOf(text).map(fold)

/** Returns the number of words that occur in every string. */
export function sharedWords([first, ...others]: readonly string[]): number {
  const sets = others.map((text) => new Set(wordsIn(text)))
  return new Set(wordsIn(present(first)).filter((word) => sets.every((set) => set.has(word)))).size
}

/**
 * True if an attack and its harmless twin are contained in the same known values. Statements test those values one by
 * one.
 */
export function standsInAlike(attack: string, twin: string, known: readonly string[]): boolean {
  const [ours, theirs] = [fold(attack), fold(twin)]
  return known.every((text) => fold(text).includes(ours) === fold(text).includes(theirs))
}

/**
 * True if an attack and its harmless twin share words with the same others. Statements look up the words that all
 * strings of a list share.
 */
export function meetsAlike(attack: string, twin: string, others: readonly string[]): boolean {
  const [attackWords, twinWords] = [new Set(wordsIn(attack)), new Set(wordsIn(twin))]
  return others.every((other) => {
    const words = wordsIn(other)
    return words.some((word) => attackWords.has(word)) === words.some((word) => twinWords.has(word))
  })
}
