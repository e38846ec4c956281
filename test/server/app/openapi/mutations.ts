import { present, type Random } from '../../../../src/base/index.ts'
import { isTyped, type OpenApi, type Schema } from './document.ts'

type Path = readonly (string | number)[]

/** A place in an answer that the document describes. */
export interface Site {
  readonly path: Path
  readonly schema: { readonly [keyword: string]: unknown }
  readonly value: unknown
}

export interface Sites {
  readonly sites: readonly Site[]
  /** Number of places that the document does not restrict; any JSON is valid there. */
  readonly freeCount: number
}

/** Returns the alternative that the value matches, with all references resolved. */
function branchOf(api: OpenApi, schema: Schema, value: unknown): Schema {
  const found = api.resolved(schema)
  if (typeof found === 'boolean') return found
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = found[keyword] as readonly Schema[] | undefined
    if (branches === undefined) continue
    const taken = branches.find((branch) => api.faults(branch, value) === undefined)
    // Members common to all branches stand next to the keyword in the schema.
    return taken === undefined ? found : branchOf(api, taken, value)
  }
  return found
}

/** Walks an answer together with its schema and collects its places. */
export function sitesOf(api: OpenApi, schema: Schema, root: unknown): Sites {
  const sites: Site[] = []
  let freeCount = 0
  const visit = (given: Schema, value: unknown, path: Path): void => {
    const at = branchOf(api, given, value)
    if (typeof at === 'boolean' || !isTyped(at)) {
      freeCount++
      return
    }
    sites.push({ path, schema: at, value })
    if (Array.isArray(value)) {
      const first = (at['prefixItems'] ?? []) as readonly Schema[]
      value.forEach((item, i) => visit(first[i] ?? (at['items'] as Schema | undefined) ?? true, item, [...path, i]))
    } else if (typeof value === 'object' && value !== null) {
      const known = (at['properties'] ?? {}) as Readonly<Record<string, Schema>>
      const others = (at['additionalProperties'] as Schema | undefined) ?? true
      for (const [name, member] of Object.entries(value)) {
        visit(present(Object.hasOwn(known, name) ? known[name] : others), member, [...path, name])
      }
    }
  }
  visit(schema, root, [])
  return { sites, freeCount }
}

/** Returns a copy of the answer with one place replaced; `undefined` removes the place. */
function changed(value: unknown, path: Path, to: unknown): unknown {
  if (path.length === 0) return to
  const [step, ...rest] = path
  if (Array.isArray(value)) return value.map((item: unknown, i) => (i === step ? changed(item, rest, to) : item))
  const members = Object.entries(value as object).map(([name, member]: [string, unknown]) => [
    name,
    name === step ? changed(member, rest, to) : member,
  ])
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as unknown
}

export interface Mutation {
  readonly kind: string
  readonly path: Path
  readonly answer: unknown
}

const OTHERS: readonly unknown[] = ['a text', 5.5, true, [], {}, ['x'], { x: 1 }]

function typeNames(schema: Site['schema']): readonly unknown[] {
  return Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

type Mutate = (site: Site, random: Random) => { readonly path: Path; readonly to: unknown } | undefined

const mutators: Readonly<Record<string, Mutate>> = {
  'a required member is gone': ({ path, schema, value }, random) => {
    const required = (schema['required'] ?? []) as readonly string[]
    if (typeof value !== 'object' || value === null || required.length === 0) return undefined
    return { path: [...path, random.pick(required)], to: undefined }
  },
  'another type': ({ path, schema, value }, random) => {
    const allowed = new Set(typeNames(schema).flatMap((name) => (name === 'integer' ? ['number'] : [name])))
    const others = OTHERS.filter((other) => typeOf(other) !== typeOf(value) && !allowed.has(typeOf(other)))
    return others.length === 0 ? undefined : { path, to: random.pick(others) }
  },
  null: ({ path, value }) => (value === null ? undefined : { path, to: null }),
  'an unknown word': ({ path, schema, value }) =>
    typeof value === 'string' && ('enum' in schema || 'const' in schema)
      ? { path, to: `${value}-no-such-word` }
      : undefined,
  'a list around it': ({ path, value }) => ({ path, to: [value] }),
  'an object around it': ({ path, value }) => ({ path, to: { value } }),
  'a number as text': ({ path, value }) => (typeof value === 'number' ? { path, to: String(value) } : undefined),
  'a fraction': ({ path, schema, value }) =>
    typeof value === 'number' && typeNames(schema).includes('integer') ? { path, to: value + 0.5 } : undefined,
  'not of its format': ({ path, schema, value }) =>
    typeof value === 'string' && (schema['format'] === 'date-time' || schema['format'] === 'uuid')
      ? { path, to: 'x' }
      : undefined,
  'a strange item': ({ path, schema, value }) =>
    Array.isArray(value) && 'items' in schema && isTyped(schema['items'] as Schema)
      ? { path, to: [...(value as readonly unknown[]), [[[]]]] }
      : undefined,
}

export const mutationKinds: readonly string[] = Object.keys(mutators)

/**
 * Makes one random change at one of an answer's places. Returns `undefined` if the drawn change makes no sense there.
 */
export function mutate(answer: unknown, sites: readonly Site[], random: Random): Mutation | undefined {
  const kind = random.pick(mutationKinds)
  const made = present(mutators[kind])(random.pick(sites), random)
  return made === undefined ? undefined : { kind, path: made.path, answer: changed(answer, made.path, made.to) }
}
