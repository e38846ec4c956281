import { SluiceError } from '../../../base/index.ts'
import type { Labels } from '../../../data/index.ts'
import { matchersOfSelector, quoteText, renderPromqlError } from '../../../lang/promql/index.ts'
import { compilePredicate } from '../../../store/samples/index.ts'
import { ruleFailure } from '../diagnostics.ts'
import type { GroupStatus, RuleStatus } from '../status.ts'

function refuse(name: string, reason: string): never {
  throw ruleFailure('bad-parameter', { name, reason })
}

/** Parameters of `GET /api/v1/rules`; empty sets select everything. */
export interface RuleFilters {
  readonly kind: RuleStatus['kind'] | undefined
  readonly ruleNames: ReadonlySet<string>
  readonly groupNames: ReadonlySet<string>
  readonly files: ReadonlySet<string>
  /** Selectors of `match[]`: a rule is selected if its labels match one of them. */
  readonly selectors: readonly ((labels: Labels) => boolean)[]
  readonly excludesAlerts: boolean
  /** Maximum number of groups in an answer. */
  readonly groupLimit: number | undefined
  /** Token of the first group of a page. */
  readonly nextToken: string | undefined
}

const KINDS: ReadonlyMap<string, RuleStatus['kind'] | undefined> = new Map([
  ['', undefined],
  ['alert', 'alerting'],
  ['record', 'recording'],
])

const TRUE = ['1', 't', 'true']
const FALSE = ['', '0', 'f', 'false']

function readSelector(text: string): (labels: Labels) => boolean {
  try {
    const args = matchersOfSelector(text).map((matcher) => ({ kind: 'matcher', matcher }) as const)
    return compilePredicate({ kind: 'all', args })
  } catch (error) {
    const [first] = error instanceof SluiceError ? error.diagnostics : []
    if (first === undefined) throw error
    return refuse('match[]', renderPromqlError(first, text))
  }
}

function readGroupLimit(text: string): number {
  const syntax = `strconv.ParseInt: parsing ${quoteText(text)}: invalid syntax`
  if (!/^[+-]?\d+$/.test(text)) refuse('group_limit', `group_limit needs to be a valid number: ${syntax}`)
  if (Number(text) <= 0) refuse('group_limit', 'group_limit needs to be greater than 0')
  return Number(text)
}

/** Parses the parameters of a request. Throws SluiceError `rules/bad-parameter` with Prometheus's message. */
export function readRuleFilters(parameters: URLSearchParams): RuleFilters {
  const one = (name: string): string => parameters.get(name) ?? ''
  const type = one('type').toLowerCase()
  if (!KINDS.has(type)) refuse('type', `not supported value ${quoteText(type)}`)
  const excludeAlerts = one('exclude_alerts').toLowerCase()
  if (![...TRUE, ...FALSE].includes(excludeAlerts))
    refuse(
      'exclude_alerts',
      `error converting exclude_alerts: strconv.ParseBool: parsing ${quoteText(excludeAlerts)}: invalid syntax`,
    )
  const [limit, nextToken] = [one('group_limit'), one('group_next_token')]
  if (nextToken !== '' && limit === '')
    refuse('group_next_token', 'group_limit needs to be present in order to paginate over the groups')
  return {
    kind: KINDS.get(type),
    ruleNames: new Set(parameters.getAll('rule_name[]')),
    groupNames: new Set(parameters.getAll('rule_group[]')),
    files: new Set(parameters.getAll('file[]')),
    selectors: parameters.getAll('match[]').map(readSelector),
    excludesAlerts: TRUE.includes(excludeAlerts),
    groupLimit: limit === '' ? undefined : readGroupLimit(limit),
    nextToken: nextToken === '' ? undefined : nextToken,
  }
}

/** A page of groups, and the token of the next page. */
export interface GroupPage {
  readonly groups: readonly GroupStatus[]
  readonly nextToken: string | undefined
}

function tokenOf({ file, name }: GroupStatus): string {
  return `${file};${name}`
}

function has(names: ReadonlySet<string>, name: string): boolean {
  return names.size === 0 || names.has(name)
}

function selectRules(group: GroupStatus, filters: RuleFilters): readonly RuleStatus[] {
  if (!has(filters.groupNames, group.name) || !has(filters.files, group.file)) return []
  const { kind, ruleNames, selectors } = filters
  return group.rules
    .filter((rule) => kind === undefined || rule.kind === kind)
    .filter(({ name }) => has(ruleNames, name))
    .filter(({ labels }) => selectors.length === 0 || selectors.some((matches) => matches(labels)))
}

/** Selects groups and rules. Groups without a selected rule are left out. Throws SluiceError for an unknown token. */
export function selectGroups(groups: readonly GroupStatus[], filters: RuleFilters): GroupPage {
  const { groupLimit, nextToken } = filters
  const start = nextToken === undefined ? 0 : groups.findIndex((group) => tokenOf(group) === nextToken)
  if (start === -1) refuse('group_next_token', `invalid group_next_token '${nextToken}'. were rule groups changed?`)
  const selected = groups
    .slice(start)
    .map((group) => ({ ...group, rules: selectRules(group, filters) }))
    .filter(({ rules }) => rules.length > 0)
  const next = groupLimit === undefined ? undefined : selected[groupLimit]
  return { groups: selected.slice(0, groupLimit), nextToken: next && tokenOf(next) }
}
