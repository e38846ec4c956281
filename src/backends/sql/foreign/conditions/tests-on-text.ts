import { compileTest, toText, wordNeeds, type ValueTest, type ValueTestOf } from '../../../../data/index.ts'
import { bound, sqlAnd, sqlCall, sqlFalse, sqlOr, sqlTrue, type SqlExpr } from '../../statement/ast.ts'
import type { Cell } from '../../cell.ts'
import type { Dialect, ForeignWords } from '../../dialect.ts'
import { testOfText, totalTest } from '../../conditions/tests-on-text.ts'
import { isEmptyCell, isNotEmptyCell } from '../../conditions/tests-on-values.ts'
import { NO_FOLD, phrases, type Said } from './phrases.ts'
import { ConditionReader } from './condition-reader.ts'
import { ASCII } from './spellings.ts'
import { MAX_SPELLED_STRINGS, MAX_TEST_VALUES, MAX_FLAT_TERMS } from '../../tuning.ts'

const OTHER_PATTERNS = 'its regular expressions are of another kind'

function each(conditions: readonly Said[], join: (args: readonly SqlExpr[]) => SqlExpr): Said {
  const reason = conditions.find((part) => typeof part === 'string')
  return reason ?? join(conditions.filter((part) => typeof part !== 'string'))
}

/**
 * Compiles a regular expression that means the same in Sluice and in the database: ASCII only, without Unicode classes.
 * Returns a reason for all others.
 */
function regexp(c: Cell, test: ValueTestOf<'regexp'>, words: ForeignWords): Said {
  const { pattern, isFolded } = test
  if (words.pattern !== undefined) {
    const own = words.pattern(pattern, isFolded)
    return own === undefined ? OTHER_PATTERNS : sqlCall('matches', c.sql, bound(own))
  }
  if (!words.hasRe2) return OTHER_PATTERNS
  if (!ASCII.test(pattern) || /\\[pPCQ]|\(\?[a-zA-Z]*[^:P)]|\\0/.test(pattern)) {
    return 'the pattern may mean something else in its version of RE2'
  }
  if (pattern.includes('\0')) return 'it has no patterns with a zero character'
  return sqlCall('matches', c.sql, bound(`${isFolded ? '(?is)' : '(?s)'}${pattern}`))
}

/** Compiles a test to a condition that is exact for all strings except `''`, or returns the reason why none is. */
function onText(c: Cell, test: ValueTest, isPositive: boolean, words: ForeignWords): Said {
  switch (test.kind) {
    case 'equals':
    case 'in': {
      const values = test.kind === 'equals' ? [test.value] : test.values
      const reader = new ConditionReader(c, words, test.isFolded)
      const wanted = values.map((value) => reader.wanted(toText(value), test.isFolded))
      const known = wanted.filter((text): text is string => text !== undefined && text !== '')
      if (wanted.includes(undefined)) return NO_FOLD
      reader.over(
        wanted,
        known.every((text) => (text.match(/[ik]/g)?.length ?? 0) <= MAX_SPELLED_STRINGS),
      )
      return reader.equalsAny([...new Set(known)], isPositive)
    }
    case 'phrase':
      return test.text === '' ? sqlFalse : phrases(c, [test.text], words, test)
    case 'phrase-prefix':
      return test.text === '' ? sqlTrue : phrases(c, [test.text], words, { isFolded: test.isFolded, isPrefix: true })
    case 'sequence': {
      const texts = test.phrases.filter((phrase) => phrase !== '')
      return texts.length === 0 ? sqlTrue : phrases(c, texts, words, test)
    }
    case 'contains-all':
    case 'contains-any': {
      if (test.phrases.length > MAX_TEST_VALUES) return `it looks for more than ${MAX_TEST_VALUES} phrases at once`
      const conditions = test.phrases.map((phrase) => (phrase === '' ? sqlTrue : phrases(c, [phrase], words, test)))
      return each(conditions, test.kind === 'contains-all' ? sqlAnd : sqlOr)
    }
    case 'starts-with':
    case 'contains': {
      if (test.text === '') return sqlTrue
      const reader = new ConditionReader(c, words, test.isFolded)
      const wanted = reader.wanted(test.text, test.isFolded)
      if (wanted === undefined) return NO_FOLD
      reader.over([wanted], false)
      return test.kind === 'contains' ? reader.contains(wanted) : reader.startsWith(wanted)
    }
    case 'glob': {
      if (!words.hasRe2 && words.pattern === undefined) return OTHER_PATTERNS
      const reader = new ConditionReader(c, words, test.isFolded)
      const wanted = test.parts.map((part) => reader.wanted(part, test.isFolded))
      const known = wanted.filter((part) => part !== undefined)
      if (known.length < wanted.length) return NO_FOLD
      reader.over(known, true)
      return reader.matches(`(?s)^${known.map((part) => reader.literal(part)).join('.*')}$`)
    }
    case 'regexp':
      return regexp(c, test, words)
    case 'range':
      return 'texts that are numbers, durations, sizes, times or addresses are read one by one'
    case 'time-range':
      return 'texts that are times are read one by one'
    default:
      return `\`${test.kind === 'named' ? test.name : test.kind}\` is read one by one`
  }
}

/**
 * Returns runs of letters and digits, in lower case. Every passing string contains each of them, delimited by other
 * characters.
 */
function runsOf(test: ValueTest): readonly string[] {
  const runs = wordNeeds(test).flatMap(({ word, isPrefix }) => {
    const conditions = word.split(/[^0-9a-z]/)
    return isPrefix ? conditions.slice(0, -1) : conditions
  })
  return [...new Set(runs)].filter((run) => run !== '').slice(0, MAX_FLAT_TERMS)
}

/** Compiles a condition for the word index that is true for every passing string; `true` if the index cannot help. */
function indexed(c: Cell, test: ValueTest, dialect: Dialect): SqlExpr {
  if (c.hasWords !== true || dialect.functions['has-words'] === undefined) return sqlTrue
  if (test.kind === 'contains-any') {
    if (test.phrases.length > MAX_TEST_VALUES) return sqlTrue
    return sqlOr(
      test.phrases.map((phrase) => indexed(c, { ...test, kind: 'contains-all', phrases: [phrase] }, dialect)),
    )
  }
  const runs = runsOf(test)
  return runs.length === 0 ? sqlTrue : sqlCall('has-words', c.sql, bound(runs.join(' ')))
}

export function textTest(c: Cell, test: ValueTest, isPositive: boolean, dialect: Dialect, words: ForeignWords): Said {
  const isOrder = test.kind === 'compare-text' || test.kind === 'string-range'
  const isPlain = test.kind === 'equals' || test.kind === 'in' || test.kind === 'starts-with'
  const plain =
    test.kind === 'empty' || isOrder || (isPlain && !(test.isFolded && c.facts.hasUnfolded))
      ? testOfText(c, test, isPositive)
      : undefined
  if (plain !== undefined) return plain
  const holds = onText(c, test, isPositive, words)
  if (typeof holds === 'string') return holds
  if (holds !== sqlTrue && holds !== sqlFalse) {
    const known = isPositive ? indexed(c, test, dialect) : sqlTrue
    return totalTest(c, test, sqlAnd([known, holds]), isPositive)
  }
  const takesText = (holds === sqlTrue) === isPositive
  if ((compileTest(test)('') === isPositive) === takesText) return takesText ? sqlTrue : sqlFalse
  return takesText ? isNotEmptyCell(c) : isEmptyCell(c)
}
