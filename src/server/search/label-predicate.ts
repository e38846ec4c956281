import { SluiceError, type Origin } from '../../base/index.ts'
import { toText, type Value, type ValueTest } from '../../data/index.ts'
import type { Expr, LabelPredicate } from '../../plan/index.ts'
import { serverDiagnostic } from '../errors/diagnostics.ts'

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

function pattern(label: string, source: string, isFolded: boolean): LabelPredicate {
  // The pattern must match the whole value, which may contain line breaks.
  return { kind: 'matcher', matcher: { label, op: '=~', value: `(?s${isFolded ? 'i' : ''}:${source})` } }
}

function equal(label: string, value: string): LabelPredicate {
  return { kind: 'matcher', matcher: { label, op: '=', value } }
}

function notEmpty(label: string): LabelPredicate {
  return { kind: 'matcher', matcher: { label, op: '!=', value: '' } }
}

function oneOf(label: string, values: readonly Value[], isFolded: boolean): LabelPredicate {
  return { kind: 'any', args: values.map((value) => equalTo(label, toText(value), isFolded)) }
}

function equalTo(label: string, text: string, isFolded: boolean): LabelPredicate {
  return isFolded && text !== '' ? pattern(label, escaped(text), true) : equal(label, text)
}

/** Converts a test on a label, which is a string, to a matcher; `undefined` if that is impossible. */
function matcherOf(label: string, test: ValueTest): LabelPredicate | undefined {
  switch (test.kind) {
    case 'empty':
      return equal(label, '')
    case 'equals':
      return equalTo(label, toText(test.value), test.isFolded)
    case 'in':
      return oneOf(label, test.values, test.isFolded)
    case 'starts-with':
      return test.text === '' ? notEmpty(label) : pattern(label, `${escaped(test.text)}.*`, test.isFolded)
    case 'contains':
      return pattern(label, `.*${escaped(test.text)}.*`, test.isFolded)
    case 'glob':
      return pattern(label, test.parts.map(escaped).join('.*'), test.isFolded)
    case 'regexp':
      return pattern(label, `.*(?:${test.pattern}).*`, test.isFolded)
    default:
      return undefined
  }
}

function refuse(what: string, origin: Origin): never {
  throw new SluiceError([serverDiagnostic('no-label-filter', { what }, origin)])
}

/**
 * Converts a predicate over sample columns to a predicate over labels. Throws `server/no-label-filter` for tests that
 * labels cannot express; no part is dropped.
 */
export function labelPredicateOf(expr: Expr): LabelPredicate {
  switch (expr.kind) {
    case 'and':
      return { kind: 'all', args: expr.args.map(labelPredicateOf) }
    case 'or':
      return { kind: 'any', args: expr.args.map(labelPredicateOf) }
    case 'not':
      return { kind: 'none-of', args: [labelPredicateOf(expr.arg)] }
    case 'literal':
      return { kind: expr.value === true ? 'all' : 'any', args: [] }
    case 'test': {
      const { arg, test, origin } = expr
      if (arg.kind !== 'column' || arg.name === '_time' || arg.name === 'value')
        return refuse('anything but a label', origin)
      return matcherOf(arg.name, test) ?? refuse(`\`${test.kind}\``, origin)
    }
    default:
      return refuse(`\`${expr.kind}\``, expr.origin)
  }
}
