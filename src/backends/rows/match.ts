import { compileRegexp } from '../../base/index.ts'
import { compileTest, fold, Instant, type Value, type ValueTest } from '../../data/index.ts'
import { isEmpty, rangeNumberOf, storedNumberOf, textNumberOf, textOf, timeOf } from './coerce.ts'
import { matchesPattern } from './number-runs.ts'
import { compareCharacters } from './order.ts'
import { characters, matchesGlob, occurInOrder, phrasePositions, standsAt } from './words.ts'

function sameText(a: string, b: string, isFolded: boolean): boolean {
  return isFolded ? fold(a) === fold(b) : a === b
}

/**
 * True if a stored value equals a value of a test. `isFolded`: regardless of case. `isTyped`: numbers and times compare
 * by value.
 */
function isEqual(stored: Value, wanted: Value, isFolded: boolean, isTyped: boolean): boolean {
  if (isEmpty(stored) || isEmpty(wanted)) return isEmpty(stored) && isEmpty(wanted)
  const has = isTyped ? storedNumberOf(stored) : undefined
  if (has !== undefined) {
    const number = typeof wanted === 'string' ? textNumberOf(wanted) : storedNumberOf(wanted)
    if (Number.isNaN(has) && Number.isNaN(number)) return true
    // oxlint-disable-next-line eqeqeq -- a float equals a big integer of the same value
    if (number !== undefined && has == number) return true
  }
  if (isTyped && stored instanceof Instant && timeOf(wanted) !== undefined) return stored.ns === timeOf(wanted)
  return sameText(textOf(stored), textOf(wanted), isFolded)
}

function hasPhrase(text: string, phrase: string, isFolded: boolean): boolean {
  if (phrase === '') return text === ''
  return phrasePositions(characters(text, isFolded), characters(phrase, isFolded), false).length > 0
}

/** True if a value passes a test. Implements each test in its simplest form. */
export function passes(value: Value, test: ValueTest): boolean {
  const text = textOf(value)
  switch (test.kind) {
    case 'empty':
      return text === ''
    case 'equals':
      return isEqual(value, test.value, test.isFolded, test.isTyped)
    case 'in':
      return test.values.some((wanted) => isEqual(value, wanted, test.isFolded, test.isTyped))
    case 'phrase':
      return hasPhrase(text, test.text, test.isFolded)
    case 'phrase-prefix':
      if (test.text === '') return text !== ''
      return phrasePositions(characters(text, test.isFolded), characters(test.text, test.isFolded), true).length > 0
    case 'starts-with':
      if (test.text === '') return text !== ''
      return standsAt(characters(text, test.isFolded), characters(test.text, test.isFolded), 0)
    case 'contains':
      return matchesGlob(
        characters(text, test.isFolded),
        ['', test.text, ''].map((part) => characters(part, test.isFolded)),
      )
    case 'glob':
      return matchesGlob(
        characters(text, test.isFolded),
        test.parts.map((part) => characters(part, test.isFolded)),
      )
    case 'regexp':
      return compileRegexp(test.pattern, test.isFolded).test(text)
    case 'range': {
      const number = rangeNumberOf(value)
      if (number === undefined) return false
      // A NaN bound matches nothing.
      if (!(test.isMinIncluded ? number >= test.min : number > test.min)) return false
      return test.isMaxIncluded ? number <= test.max : number < test.max
    }
    case 'compare-text': {
      const order = compareCharacters(text, test.text)
      return test.op === 'lt' ? order < 0 : test.op === 'le' ? order <= 0 : test.op === 'gt' ? order > 0 : order >= 0
    }
    case 'string-range':
      return compareCharacters(text, test.min) >= 0 && compareCharacters(text, test.max) < 0
    case 'time-range': {
      const ns = timeOf(value)
      if (ns === undefined || ns < test.range.startNs) return false
      return ns < test.range.endNs || test.range.endNs === 2n ** 63n - 1n
    }
    case 'sequence': {
      const phrases = test.phrases.filter((phrase) => phrase !== '').map((phrase) => characters(phrase, test.isFolded))
      return occurInOrder(characters(text, test.isFolded), phrases)
    }
    case 'contains-all':
      return test.phrases.every((phrase) => phrase === '' || hasPhrase(text, phrase, test.isFolded))
    case 'contains-any':
      return test.phrases.some((phrase) => phrase === '' || hasPhrase(text, phrase, test.isFolded))
    case 'named': {
      if (test.name !== 'pattern-match') return compileTest(test)(value)
      const [pattern = null, mode = null] = test.args
      return matchesPattern(text, textOf(pattern), textOf(mode))
    }
  }
}
