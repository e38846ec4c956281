import { LineCounter, isAlias, isMap, isPair, isScalar, isSeq, parseDocument, type Document } from 'yaml'
import type { z } from 'zod'
import {
  MAX_DOCUMENT_CHARS,
  MAX_FAULTS,
  MAX_YAML_ALIASES,
  SluiceError,
  at,
  nearestNames,
  nowhere,
  type Diagnostic,
  type JsonPath,
  type Span,
} from '../../base/index.ts'
import { catalogDiagnostic } from '../diagnostics.ts'
import { catalogSchema, type CatalogFile } from './schema.ts'

const MAX_DEPTH = 32

/** A parsed catalog with the source positions of its parts. */
export interface CatalogText {
  readonly file: CatalogFile
  /**
   * Returns the span of the value at a path, or with `key` the span of its name. If that part is missing, returns the
   * span of the nearest enclosing part.
   */
  readonly spanOf: (path: JsonPath, key?: 'key') => Span
}

function spanOfNode(node: unknown): Span | undefined {
  const range = (node as { readonly range?: readonly number[] | null } | null)?.range
  return range === undefined || range === null ? undefined : { start: range[0] ?? 0, end: range[1] ?? range[0] ?? 0 }
}

function finderOf(document: Document): CatalogText['spanOf'] {
  return (path, key) => {
    let node: unknown = document.contents
    let found = spanOfNode(node) ?? { start: 0, end: 0 }
    for (const [i, step] of path.entries()) {
      if (isAlias(node)) node = node.resolve(document)
      if (isMap(node)) {
        const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === String(step))
        if (pair === undefined) return found
        const isKey = pair.value === null || (key === 'key' && i === path.length - 1)
        const isWhole = i < path.length - 1 && !isScalar(pair.value)
        // If the part is missing, the name of the entry that should contain it is marked.
        found =
          (isKey || isWhole
            ? spanOfNode(pair.key)
            : isScalar(pair.value) || isSeq(pair.value)
              ? spanOfNode(pair.value)
              : spanOfNode(pair.key)) ?? found
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(step)]
        found = spanOfNode(node) ?? found
      } else return found
    }
    return found
  }
}

function depthOf(node: unknown, left: number): boolean {
  if (left === 0) return false
  if (isPair(node)) return depthOf(node.value, left)
  if (isMap(node) || isSeq(node)) return node.items.every((item) => depthOf(item, left - 1))
  return true
}

/**
 * Returns the faults of a Zod issue. For a union, returns only the faults of the alternative that the value most likely
 * meant.
 */
function faultsOf(issue: z.core.$ZodIssue, value: unknown, before: JsonPath): readonly Fault[] {
  const path = [...before, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((name) => ({ kind: 'unknown', path: [...path, name], name }))
    case 'invalid_union': {
      const meant = issue.errors.find(
        (errors) => !errors.some((each) => each.code === 'invalid_type' && each.path.length === 0),
      )
      if (meant !== undefined) return meant.flatMap((each) => faultsOf(each, valueAt(value, issue.path), path))
      const expected = issue.errors
        .flat()
        .flatMap((each) => (each.code === 'invalid_type' ? [nameOfType(each.expected)] : []))
      return [{ kind: 'wrong', path, expected: [...new Set(expected)].join(' or ') }]
    }
    case 'invalid_type':
      if (path.length > 0 && valueAt(value, issue.path) === undefined)
        return [{ kind: 'missing', path, name: String(path.at(-1)) }]
      return [{ kind: 'wrong', path, expected: nameOfType(issue.expected) }]
    case 'invalid_value': {
      const found = valueAt(value, issue.path)
      const known = issue.values.map(String)
      if (found === undefined) return [{ kind: 'missing', path, name: String(path.at(-1)) }]
      if (typeof found !== 'string')
        return [{ kind: 'wrong', path, expected: known.map((each) => `\`${each}\``).join(', ') }]
      return [{ kind: 'word', path, word: found, known }]
    }
    case 'too_small':
      return [
        {
          kind: 'wrong',
          path,
          expected: issue.origin === 'array' ? 'a list that is not empty' : 'a text that is not empty',
        },
      ]
    case 'too_big':
      return [{ kind: 'wrong', path, expected: `at most ${String(issue.maximum)} characters` }]
    case 'invalid_key':
      return [{ kind: 'wrong', path, expected: 'a name that is not empty' }]
    default:
      return [{ kind: 'wrong', path, expected: 'another value' }]
  }
}

type Fault =
  | { readonly kind: 'unknown'; readonly path: JsonPath; readonly name: string }
  | { readonly kind: 'wrong'; readonly path: JsonPath; readonly expected: string }
  | { readonly kind: 'missing'; readonly path: JsonPath; readonly name: string }
  | { readonly kind: 'word'; readonly path: JsonPath; readonly word: string; readonly known: readonly string[] }

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'members with names',
  record: 'members with names',
  boolean: '`true` or `false`',
}

function nameOfType(type: string): string {
  return TYPE_NAMES[type] ?? type
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return value
}

/** Returns the known member names at a path, to suggest one for an unknown name. */
function membersAt(path: JsonPath): readonly string[] {
  let schemas: readonly z.core.$ZodType[] = [catalogSchema]
  for (const step of path) schemas = schemas.flatMap((schema) => inside(schema, step))
  return [
    ...new Set(
      schemas
        .flatMap((schema) => flat(schema))
        .flatMap((schema) => (schema._zod.def.type === 'object' ? Object.keys((schema as z.ZodObject).shape) : [])),
    ),
  ]
}

function flat(schema: z.core.$ZodType): readonly z.core.$ZodTypes[] {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  if (def.type === 'optional') return flat(def.innerType)
  if (def.type === 'union') return def.options.flatMap(flat)
  return [known]
}

function inside(schema: z.core.$ZodType, step: string | number): readonly z.core.$ZodType[] {
  return flat(schema).flatMap((each): readonly z.core.$ZodType[] => {
    const { def } = each._zod
    if (def.type === 'object') return def.shape[step] === undefined ? [] : [def.shape[step]]
    if (def.type === 'record') return [def.valueType]
    return def.type === 'array' ? [def.element] : []
  })
}

function diagnosticOf(fault: Fault, spanOf: CatalogText['spanOf']): Diagnostic {
  const span = at(spanOf(fault.path, fault.kind === 'unknown' ? 'key' : undefined))
  switch (fault.kind) {
    case 'unknown': {
      const known = membersAt(fault.path.slice(0, -1))
      return catalogDiagnostic(
        'unknown-member',
        { name: fault.name, near: nearestNames(fault.name, known), known },
        span,
      )
    }
    case 'word':
      return catalogDiagnostic(
        'unknown-word',
        { word: fault.word.slice(0, 60), near: nearestNames(fault.word, fault.known), known: fault.known },
        span,
      )
    case 'missing':
      return catalogDiagnostic('missing-member', { name: fault.name }, span)
    case 'wrong':
      return catalogDiagnostic('wrong-value', { expected: fault.expected }, span)
  }
}

/** Replaces table entries without members by empty tables. */
function withTables(value: unknown): unknown {
  const tables = valueAt(value, ['tables'])
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) return value
  const written = Object.entries(tables).map(([name, table]) => [name, table ?? {}] as const)
  return { ...(value as object), tables: Object.fromEntries(written) }
}

/** Parses a catalog in YAML or JSON. Throws SluiceError `catalog/…` with all errors and their positions. */
export function readCatalog(text: string): CatalogText {
  if (text.length > MAX_DOCUMENT_CHARS)
    throw new SluiceError([catalogDiagnostic('too-large', { limit: '1 MiB' }, nowhere)])
  const lines = new LineCounter()
  const broken = (reason: string, offset: number): SluiceError =>
    new SluiceError([
      catalogDiagnostic(
        'not-yaml',
        { reason },
        at({ start: Math.max(0, Math.min(offset, text.length - 1)), end: Math.min(text.length, offset + 1) }),
      ),
    ])
  let document: Document
  let value: unknown
  try {
    document = parseDocument(text, { version: '1.2', schema: 'core', lineCounter: lines, prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) throw broken(error.message, error.pos[0])
    if (!depthOf(document.contents, MAX_DEPTH)) throw broken(`it is nested deeper than ${MAX_DEPTH} levels`, 0)
    value = document.toJS({ maxAliasCount: MAX_YAML_ALIASES })
  } catch (error) {
    if (error instanceof SluiceError) throw error
    throw broken(
      error instanceof RangeError ? 'it is nested too deeply' : error instanceof Error ? error.message : String(error),
      0,
    )
  }
  const spanOf = finderOf(document)
  const result = catalogSchema.safeParse(withTables(value))
  if (result.success) return { file: result.data, spanOf }
  const faults = result.error.issues.flatMap((issue) => faultsOf(issue, value, []))
  throw new SluiceError(faults.slice(0, MAX_FAULTS).map((fault) => diagnosticOf(fault, spanOf)))
}
