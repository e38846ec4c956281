import { SluiceError, nearestNames, nowhere } from '../../../base/index.ts'
import { compareText } from '../../../data/index.ts'
import { printMatcher, type LabelMatcher } from '../../../plan/index.ts'
import { checkMatcher, compileMatchers, parseMatchers, type LabelTest } from '../../matchers/index.ts'
import { configDiagnostic } from './diagnostics.ts'
import type { InhibitRule, Receiver, Route } from './types.ts'
import type { YamlMembers, YamlValue } from './yaml-reader.ts'

/** Levels of a route tree. Deeper trees would overflow the stack of recursive readers. */
const MAX_ROUTE_DEPTH = 32

/** Advice for Alertmanager's intervals of muting, which are refused. */
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

/** Options of the root route that are not written. */
const defaults = { groupBy: ['alertname'], groupWaitMs: 30_000, groupIntervalMs: 300_000, repeatIntervalMs: 14_400_000 }

function checked(value: YamlValue, read: () => readonly LabelMatcher[]): readonly LabelMatcher[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    const reason = error.diagnostics.flatMap(({ message, notes }) => [message, ...notes]).join(' ')
    value.faults.add(configDiagnostic('bad-matcher', { ...value.place, reason }, nowhere))
    return []
  }
}

/** Reads `matchers`, and the older `match` and `match_re`, each with the given prefix. */
function readMatchers<K extends string>(members: YamlMembers<K>, prefix: string): readonly LabelMatcher[] {
  const listed = members.get(`${prefix}matchers` as K)?.list() ?? []
  const ofMap = (name: string, op: LabelMatcher['op']): readonly LabelMatcher[] =>
    (members.get(name as K)?.entries() ?? []).flatMap(([label, value]) =>
      checked(value, () => {
        const matcher: LabelMatcher = { label, op, value: value.string() }
        checkMatcher(matcher)
        return [matcher]
      }),
    )
  const matchers = [
    ...listed.flatMap((value) => checked(value, () => parseMatchers(value.string()))),
    ...ofMap(`${prefix}match`, '='),
    ...ofMap(`${prefix}match_re`, '=~'),
  ]
  return matchers.sort((a, b) => compareText(a.label, b.label) || compareText(a.value, b.value))
}

function readGroupBy(value: YamlValue): Route['groupBy'] {
  const names = value.strings()
  if (new Set(names).size < names.length) value.wrong('a list without repeated names')
  if (!names.includes('...')) return names
  if (names.length > 1) value.wrong("`['...']` alone or a list of names of labels")
  return 'all'
}

/** Reads the route tree. Every receiver that it names must be one of `receivers`. */
export function readRoute(
  value: YamlValue,
  receivers: ReadonlyMap<string, Receiver>,
  parent?: Route,
  depth = 1,
): Route {
  const members = value.members(ROUTE_MEMBERS, {
    mute_time_intervals: MUTING_ADVICE,
    active_time_intervals: MUTING_ADVICE,
  })
  const matchers = readMatchers(members, '')
  if (parent === undefined && matchers.length > 0) members.get('matchers')?.wrong('absent in the root route')
  if (parent === undefined && members.get('receiver') === undefined) members.missing('receiver', 'The root route')
  const named = members.get('receiver')
  const receiver = named?.string() ?? parent?.receiver ?? ''
  if (named !== undefined && !receivers.has(receiver)) {
    const near = nearestNames(receiver, receivers.keys(), 1)
    value.faults.add(configDiagnostic('unknown-receiver', { ...named.place, name: receiver, near }, nowhere))
  }
  const groupBy = members.get('group_by')
  const from = parent ?? defaults
  const route: Omit<Route, 'routes'> = {
    key: `${parent === undefined ? '' : `${parent.key}/`}{${matchers.map(printMatcher).join(',')}}`,
    receiver,
    groupBy: groupBy === undefined ? from.groupBy : readGroupBy(groupBy),
    groupWaitMs: members.get('group_wait')?.durationMs(0) ?? from.groupWaitMs,
    groupIntervalMs: members.get('group_interval')?.durationMs(1) ?? from.groupIntervalMs,
    repeatIntervalMs: members.get('repeat_interval')?.durationMs(1) ?? from.repeatIntervalMs,
    matches: compileMatchers(matchers),
    isContinued: members.get('continue')?.boolean() ?? false,
  }
  const children = members.get('routes')?.list() ?? []
  if (depth === MAX_ROUTE_DEPTH && children.length > 0) value.wrong(`at most ${MAX_ROUTE_DEPTH} levels deep`)
  const read = depth === MAX_ROUTE_DEPTH ? [] : children
  return { ...route, routes: read.map((child) => readRoute(child, receivers, { ...route, routes: [] }, depth + 1)) }
}

/** Returns the deepest matching routes: those of the first matching child, and of later ones after `continue`. */
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
  const members = value.members(INHIBIT_MEMBERS)
  return {
    source: compileMatchers(readMatchers(members, 'source_')),
    target: compileMatchers(readMatchers(members, 'target_')),
    equal: members.get('equal')?.strings() ?? [],
  }
}
