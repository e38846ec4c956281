import { AskError, failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import type { PlainJson } from '../../../data/index.ts'
import { allPages, onlyVersion, savedOrStale, type SaveResult, type Stored } from '../../forms/stored.ts'
import { isObject, isObjectList, stringOf, type JsonObject } from '../../forms/model.ts'
import { texts } from '../../app/texts.ts'

/** A policy as the API returns it. */
export interface Policy {
  readonly uuid: string
  readonly name: string
  readonly description: string
  readonly claimRole: string
  readonly role: Readonly<Record<string, string>>
  readonly dataScope?: JsonObject
  readonly revisionNumber: number
  readonly readOnly: boolean
  readonly updatedBy?: string
  readonly updatedTimestamp?: string
  /** Number of users with this policy; only administrators receive it. */
  readonly entityCount?: number
}

/** Kinds of data that a policy can restrict. */
export const scopeKinds = ['logs', 'traces', 'events', 'metrics', 'workloads'] as const
export type ScopeKind = (typeof scopeKinds)[number]

export function listPolicies(ask: Ask, signal: AbortSignal): Promise<readonly Policy[]> {
  return allPages(ask, '/api/rbac/policies/list', signal)
}

function pathOf(id: string): string {
  return `/api/rbac/policy/${encodeURIComponent(id)}`
}

/** Returns the members of a policy that the form edits. */
export function formOf({ name, description, claimRole, role, dataScope = {} }: Policy): JsonObject {
  return { name, description, claimRole, role, dataScope }
}

export async function readPolicy(
  ask: Ask,
  id: string,
  signal?: AbortSignal,
): Promise<Stored & { readonly policy: Policy }> {
  const { body, etag = '' } = await ask('json', { method: 'GET', path: pathOf(id) }, { signal })
  const policy = body as Policy
  return { value: formOf(policy), tag: etag, policy }
}

/** Values that an update sends for removed members. An update leaves members unchanged that it does not contain. */
const empty: JsonObject = { name: '', description: '', claimRole: '', role: {}, dataScope: {} }

/** Maps the paths of an error to paths of the form. The server's paths inside filters lack the member `dataScope`. */
function located(error: unknown): AskError {
  const failure = failureOf(error)
  const diagnostics = failure.diagnostics.map((each) =>
    each.path !== undefined && /^\$\.(simple|advanced)\b/.test(each.path)
      ? { ...each, path: each.path.replace('$', '$.dataScope') }
      : each,
  )
  return new AskError({ ...failure, diagnostics })
}

/** Creates a policy, or updates the version read as `before`. */
export async function savePolicy(
  ask: Ask,
  id: string | undefined,
  form: JsonObject,
  before: Stored | undefined,
): Promise<SaveResult> {
  const save = async (): Promise<SaveResult> => {
    if (id === undefined || before === undefined) {
      const { body } = await ask('json', { method: 'POST', path: '/api/rbac/policy/create', body: form })
      return { kind: 'saved', id: (body as Policy).uuid }
    }
    const body = { ...empty, ...form }
    await ask('json', { method: 'PUT', path: pathOf(id), body, headers: onlyVersion(before.tag) })
    return { kind: 'saved', id }
  }
  try {
    return await savedOrStale(save, () => readPolicy(ask, id ?? ''))
  } catch (error) {
    throw located(error)
  }
}

export async function deletePolicy(ask: Ask, id: string, tag: string | undefined): Promise<void> {
  await ask('json', { method: 'DELETE', path: pathOf(id), headers: onlyVersion(tag) })
}

export async function applyPolicy(ask: Ask, id: string, emails: readonly string[], override: boolean): Promise<void> {
  const body = { emails, policyUUIDs: [id], override }
  await ask('json', { method: 'POST', path: '/api/rbac/policy/apply', body })
}

/** True if a group restricts rows. A disabled group also restricts rows, because it allows none. */
function hasContent(group: PlainJson | undefined): boolean {
  if (!isObject(group)) return false
  const { conditions, groups, disabled } = group
  return (
    disabled === true ||
    (Array.isArray(conditions) && conditions.length > 0) ||
    (isObjectList(groups) && groups.some(hasContent))
  )
}

/** Effect of a policy on one kind of rows: all, none, or those that match a group of conditions. */
export type Restriction = 'all' | 'none' | JsonObject

export function restrictionOf(scope: PlainJson | undefined, kind: ScopeKind): Restriction {
  const { simple, advanced } = isObject(scope) ? scope : {}
  const group = hasContent(simple) ? simple : isObject(advanced) ? advanced[kind] : undefined
  if (!isObject(group) || !hasContent(group)) return 'all'
  return group['disabled'] === true ? 'none' : group
}

const operatorWords: Readonly<Record<string, string>> = {
  match: 'is',
  eq: 'is',
  ne: 'is not',
  not_match: 'is not',
  in: 'is one of',
  iin: 'is one of',
  notin: 'is none of',
  inotin: 'is none of',
  contains: 'contains',
  icontains: 'contains',
  notcontains: 'does not contain',
  inotcontains: 'does not contain',
  startswith: 'starts with',
  istartswith: 'starts with',
  endswith: 'ends with',
  iendswith: 'ends with',
  phrase_search: 'has the words',
  regex: 'matches the pattern',
  notregex: 'does not match the pattern',
  gt: 'is greater than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  exists: 'exists',
  notexists: 'does not exist',
}

function valueWords(value: PlainJson | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map((item: PlainJson) => valueWords(item)).join(', ')
  return typeof value === 'string' ? `“${value}”` : JSON.stringify(value)
}

function conditionWords({ key, filters }: JsonObject): string {
  const name = stringOf(key)
  const parts = isObjectList(filters)
    ? filters.map(({ op, value }) => {
        const operator = typeof op === 'string' ? (operatorWords[op] ?? op) : 'is'
        return `${name} ${operator} ${valueWords(value)}`.trim()
      })
    : []
  return parts.length > 1 ? `(${parts.join(' or ')})` : (parts[0] ?? name)
}

/** Describes a group of conditions in words. */
export function groupWords({ operator, conditions, groups }: JsonObject): string {
  const parts = [
    ...(isObjectList(conditions) ? conditions.map(conditionWords) : []),
    ...(isObjectList(groups) ? groups.filter(hasContent).map((group) => `(${groupWords(group)})`) : []),
  ]
  return parts.join(operator === 'or' ? ' or ' : ' and ')
}

/** Describes in words which rows of one kind a policy allows. */
export function restrictionWords(restriction: Restriction): string {
  if (restriction === 'all') return texts.policies.everything
  return restriction === 'none' ? texts.policies.nothing : groupWords(restriction)
}

/** Number of rows of one kind in the last hour: rows that a policy allows, and all rows. */
export interface Seen {
  readonly visible: number
  readonly all: number
}

const searchPaths: Readonly<Partial<Record<ScopeKind, string>>> = {
  logs: '/api/logs/v2/search',
  traces: '/api/traces/v2/search',
  events: '/api/k8s/v2/events/search',
}

async function countRows(ask: Ask, path: string, group: JsonObject | undefined, signal: AbortSignal): Promise<number> {
  const pipeline = {
    ...(group === undefined ? {} : { filters: group }),
    selectors: [{ key: '*', alias: 'n', processors: [{ op: 'count' }] }],
  }
  const body = { start: 'now-1h', end: 'now', pipeline }
  const rows = (await ask('json', { method: 'POST', path, body }, { signal })).body as readonly JsonObject[]
  return Number(rows[0]?.['n'] ?? 0)
}

/**
 * Counts the rows of the last hour that a policy allows, among the rows visible to the current user. `undefined` for
 * kinds without a search endpoint.
 */
export async function countSeen(
  ask: Ask,
  kind: ScopeKind,
  restriction: Restriction,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const path = searchPaths[kind]
  if (path === undefined) return undefined
  const all = await countRows(ask, path, undefined, signal)
  if (restriction === 'all') return { visible: all, all }
  if (restriction === 'none') return { visible: 0, all }
  return { visible: await countRows(ask, path, restriction, signal), all }
}
