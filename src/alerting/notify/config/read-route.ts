import { SluiceError, nearestNames } from '../../../base/index.ts'
import { compareText } from '../../../data/index.ts'
import { printMatcher, type LabelMatcher } from '../../../plan/index.ts'
import { checkMatcher, compileMatchers, parseMatchers, type LabelTest } from '../../matchers/index.ts'
import type { YamlValue } from '../../yaml/index.ts'
import type { InhibitRule, Receiver, Route } from './types.ts'

/** Maximum depth of a route tree; recursive functions would overflow the stack beyond it. */
const MAX_ROUTE_DEPTH = 32

/** Advice for Alertmanager's mute time intervals, which are rejected. */
export const MUTING_ADVICE = 'Times of muting are not evaluated. Create a silence, or stop the monitor at these times.'

const ROUTE_MEMBERS = [
  'receiver',
  'group_by',
  'group_wait',
  'group_interval',
  'repeat_interval',
  'matchers',
  'match',
  'match_re',
  'continue',
  'routes',
] as const

const UNSUPPORTED = { mute_time_intervals: MUTING_ADVICE, active_time_intervals: MUTING_ADVICE }

/** Defaults of the root route. */
const defaults = {
  receiver: '',
  groupBy: ['alertname'],
  groupWaitMs: 30_000,
  groupIntervalMs: 300_000,
  repeatIntervalMs: 14_400_000,
}

/** Parses matchers. The error has the parser's advice but not its message, which quotes the matcher. */
function checked(value: YamlValue, read: () => readonly LabelMatcher[]): readonly LabelMatcher[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    value.fault(`The matcher cannot be read. ${error.diagnostics.flatMap(({ notes }) => notes).join(' ')}`)
    return []
  }
}

/** Parses `matchers`, and the deprecated `match` and `match_re`. */
function readMatchers(matchers: YamlValue, match: YamlValue, matchRe: YamlValue): readonly LabelMatcher[] {
  const ofMap = (map: YamlValue, op: LabelMatcher['op']): readonly LabelMatcher[] =>
    [...map.entries()].flatMap(([label, value]) =>
      checked(value, () => {
        const matcher: LabelMatcher = { label, op, value: value.text() }
        checkMatcher(matcher)
        return [matcher]
      }),
    )
  const read = [
    ...matchers.items().flatMap((value) => checked(value, () => parseMatchers(value.text()))),
    ...ofMap(match, '='),
    ...ofMap(matchRe, '=~'),
  ]
  return read.sort((a, b) => compareText(a.label, b.label) || compareText(a.value, b.value))
}

function readGroupBy(value: YamlValue): Route['groupBy'] {
  const names = value.strings()
  if (new Set(names).size < names.length) value.wrong('a list without repeated names')
  if (!names.includes('...')) return names
  if (names.length > 1) value.wrong("`['...']` alone or a list of names of labels")
  return 'all'
}

/** Reads a receiver name, which must be one of `receivers`. */
export function readReceiverName(value: YamlValue, receivers: ReadonlyMap<string, Receiver>): string {
  const name = value.text()
  if (receivers.has(name)) return name
  const [near] = nearestNames(name, receivers.keys())
  value.fault(`No receiver has this name.${near === undefined ? '' : ` Did you mean \`${near}\`?`}`)
  return name
}

/** Parses the route tree. All its receivers must be among `receivers`. */
export function readRoute(
  value: YamlValue,
  receivers: ReadonlyMap<string, Receiver>,
  parent?: Route,
  depth = 1,
): Route {
  const member = value.members('a route', ROUTE_MEMBERS, UNSUPPORTED)
  const matchers = readMatchers(member('matchers'), member('match'), member('match_re'))
  if (parent === undefined && !value.isNull) {
    if (matchers.length > 0) member('matchers').wrong('absent in the root route')
    member('receiver').required('The root route')
  }
  const from = parent ?? defaults
  const route: Omit<Route, 'routes'> = {
    key: `${parent === undefined ? '' : `${parent.key}/`}{${matchers.map(printMatcher).join(',')}}`,
    receiver: member('receiver').given((each) => readReceiverName(each, receivers)) ?? from.receiver,
    groupBy: member('group_by').given(readGroupBy) ?? from.groupBy,
    groupWaitMs: member('group_wait').given((each) => each.durationMs()) ?? from.groupWaitMs,
    groupIntervalMs: member('group_interval').durationMs(1) || from.groupIntervalMs,
    repeatIntervalMs: member('repeat_interval').durationMs(1) || from.repeatIntervalMs,
    matches: compileMatchers(matchers),
    isContinued: member('continue').boolean(),
  }
  const children = member('routes').items()
  if (depth === MAX_ROUTE_DEPTH && children.length > 0) value.wrong(`at most ${MAX_ROUTE_DEPTH} levels deep`)
  const read = depth === MAX_ROUTE_DEPTH ? [] : children
  return { ...route, routes: read.map((child) => readRoute(child, receivers, { ...route, routes: [] }, depth + 1)) }
}

/** Returns the deepest matching routes: of the first matching child, and of later children if `continue` is set. */
export function matchRoutes(route: Route, labels: Parameters<LabelTest>[0]): readonly Route[] {
  if (!route.matches(labels)) return []
  const found: Route[] = []
  for (const child of route.routes) {
    const matched = matchRoutes(child, labels)
    found.push(...matched)
    if (matched.length > 0 && !child.isContinued) break
  }
  return found.length === 0 ? [route] : found
}

const INHIBIT_MEMBERS = [
  'name',
  'source_matchers',
  'source_match',
  'source_match_re',
  'target_matchers',
  'target_match',
  'target_match_re',
  'equal',
] as const

export function readInhibitRule(value: YamlValue): InhibitRule {
  const member = value.members('an inhibition rule', INHIBIT_MEMBERS)
  const of = (side: 'source' | 'target'): LabelTest =>
    compileMatchers(readMatchers(member(`${side}_matchers`), member(`${side}_match`), member(`${side}_match_re`)))
  return { source: of('source'), target: of('target'), equal: member('equal').strings() }
}
