import { printDuration } from './duration.ts'
import { printMatcher, printPredicate } from './matcher.ts'
import type { SeriesMatching, SeriesPlan, TimeShift } from './nodes.ts'
import { seriesInputs } from './traverse.ts'

function shiftText({ at, offset }: TimeShift): string {
  let text = ''
  if (at !== undefined) text += ` @ ${at.kind === 'time' ? `${at.timeMs}ms` : `${at.kind}()`}`
  if (offset.kind !== 'fixed' || offset.ms !== 0) text += ` offset ${printDuration(offset)}`
  return text
}

function matchingText(matching: SeriesMatching): string {
  let text = ` ${matching.cardinality} ${matching.isOn ? 'on' : 'ignoring'} (${matching.labels.join(', ')})`
  if (matching.include.length > 0) text += ` include (${matching.include.join(', ')})`
  if (matching.fillLeft !== undefined) text += ` fill_left(${matching.fillLeft})`
  if (matching.fillRight !== undefined) text += ` fill_right(${matching.fillRight})`
  return text
}

/** Returns one line about a node without its inputs. The first word is its kind. */
export function seriesLabel(node: SeriesPlan): string {
  switch (node.kind) {
    case 'series-number':
      return `number ${node.value}`
    case 'series-text':
      return `text ${JSON.stringify(node.value)}`
    case 'series-select': {
      const matchers = node.matchers.map((matcher) => printMatcher(matcher)).join(', ')
      const guard = node.guard === undefined ? '' : ` guard ${printPredicate(node.guard)}`
      const extension = node.extension === 'none' ? '' : ` ${node.extension}`
      const presence = node.isPresenceOnly === true ? ' presence-only' : ''
      return `select ${node.table}{${matchers}}${shiftText(node.shift)}${extension}${presence}${guard}`
    }
    case 'series-range':
      return `range ${printDuration(node.range)}`
    case 'series-subquery': {
      const step = node.step === undefined ? '' : ` step ${printDuration(node.step)}`
      return `subquery ${printDuration(node.range)}${step}${shiftText(node.shift)}`
    }
    case 'series-aggregate':
      return `aggregate ${node.op} ${node.isWithout ? 'without' : 'by'} (${node.grouping.join(', ')})`
    case 'series-binary': {
      const matching = node.matching === undefined ? '' : matchingText(node.matching)
      return `binary ${node.op}${node.isBool ? ' bool' : ''}${matching}`
    }
    case 'series-logs':
      return `${node.gives} of logs in ${printDuration(node.range)} by (${node.labels?.map(({ name }) => name).join(', ') ?? 'all labels'})`
    case 'series-unary':
      return `unary ${node.op}`
    case 'series-call':
      return `call ${node.name}`
  }
}

/** Prints the plan with one node per line; inputs are indented by two spaces. */
export function printSeriesPlan(node: SeriesPlan, depth = 0): string {
  const line = `${'  '.repeat(depth)}${seriesLabel(node)}`
  return [line, ...seriesInputs(node).map((input) => printSeriesPlan(input, depth + 1))].join('\n')
}
