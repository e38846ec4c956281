import { atPath, compileRegexp, nearestNames, regexpFault, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { operatorNamed } from '../../lang/json/index.ts'
import { scopeKinds } from '../../wire/index.ts'
import { policyDiagnostic } from './diagnostics.ts'

const GROUP = ['operator', 'conditions', 'groups', 'disabled'] as const
const CONDITION = [
  'key',
  'origin',
  'type',
  'filters',
  'additionalFilter',
  'autoComplete',
  'filterKeys',
  'isNullable',
] as const
const FILTER = ['op', 'value'] as const
const COLUMN_TYPES = ['string', 'int64', 'float64', 'bool', 'datetime', 'string_array', 'freetext'] as const

type Members = ReadonlyMap<string, { readonly value: unknown; readonly path: JsonPath }>

/** Different strings. A pattern that matches all of them is assumed to match every string. */
const DIFFERENT_TEXTS = ['', 'a', 'B 7', '-_.é\n']

function matchesEverything(pattern: string): boolean {
  if (regexpFault(pattern) !== undefined) return false
  const compiled = compileRegexp(pattern, false)
  return DIFFERENT_TEXTS.every((text) => compiled.test(text))
}

/** Returns the reason why a filter passes everything or nothing; `undefined` if it distinguishes values. */
function emptiness(op: string, value: unknown): string | undefined {
  const name = operatorNamed(op.trim().toLowerCase())?.name ?? ''
  if (name.endsWith('in') && Array.isArray(value) && value.length === 0) return 'its list is empty'
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isSearch = /contains$|startswith$|endswith$|phrase/.test(name)
  if (isSearch && values.includes('')) return 'every value has the empty text in it'
  const isPattern = name.endsWith('regex')
  if (isPattern && values.some((each) => typeof each === 'string' && matchesEverything(each)))
    return 'every value matches its pattern'
  if (name.endsWith('match') && values.some((each) => typeof each === 'string' && /^\*+$/.test(each)))
    return 'every value matches `*`'
  return undefined
}

/**
 * Checks the JSON of a data scope. Unknown members are errors here, although other bodies ignore them: an ignored
 * member may be the restriction that the author relies on.
 */
class ScopeChecker {
  readonly diagnostics: Diagnostic[] = []

  check(scope: unknown, path: JsonPath): readonly Diagnostic[] {
    const members = this.#members(scope, ['simple', 'advanced'], path)
    this.#group(members.get('simple'), true)
    const advanced = members.get('advanced')
    if (advanced !== undefined) {
      for (const kind of this.#members(advanced.value, scopeKinds, advanced.path).values()) this.#group(kind, true)
    }
    return this.diagnostics
  }

  /**
   * Returns known members by name and reports the others. A value that is not an object is not reported: the schema
   * rejects it.
   */
  #members(value: unknown, known: readonly string[], path: JsonPath): Members {
    const found = new Map<string, { value: unknown; path: JsonPath }>()
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return found
    for (const [given, member] of Object.entries(value)) {
      const name = known.find((candidate) => candidate.toLowerCase() === given.toLowerCase())
      const entryPath = [...path, given]
      if (name !== undefined && found.has(name)) {
        this.diagnostics.push(policyDiagnostic('scope-twice', { name }, atPath(entryPath)))
      } else if (name !== undefined) found.set(name, { value: member, path: [...path, name] })
      else if (member !== null) {
        const data = { name: given, near: nearestNames(given, known) }
        this.diagnostics.push(policyDiagnostic('scope-member', data, atPath(entryPath)))
      }
    }
    return found
  }

  #group(group: { readonly value: unknown; readonly path: JsonPath } | undefined, isTop: boolean): void {
    if (group === undefined) return
    const members = this.#members(group.value, GROUP, group.path)
    if (!isTop && members.get('disabled')?.value === true) {
      this.diagnostics.push(policyDiagnostic('scope-disabled', {}, atPath([...group.path, 'disabled'])))
    }
    const each = (name: string, see: (item: { value: unknown; path: JsonPath }) => void): void => {
      const list = members.get(name)
      if (!Array.isArray(list?.value)) return
      list.value.forEach((value: unknown, i) => see({ value, path: [...list.path, i] }))
    }
    each('groups', (inner) => this.#group(inner, false))
    each('conditions', (condition) => this.#condition(condition))
  }

  #condition({ value, path }: { readonly value: unknown; readonly path: JsonPath }): void {
    const members = this.#members(value, CONDITION, path)
    const textOf = (name: string): string => {
      const text = members.get(name)?.value
      return typeof text === 'string' ? text.trim() : ''
    }
    const say = (reason: string): void => {
      this.diagnostics.push(policyDiagnostic('scope-condition', { reason }, atPath(path)))
    }
    const type = textOf('type').toLowerCase()
    if (type !== '' && !(COLUMN_TYPES as readonly string[]).includes(type)) {
      const data = { what: 'column type', word: textOf('type').slice(0, 60), known: COLUMN_TYPES }
      this.diagnostics.push(policyDiagnostic('scope-word', data, atPath([...path, 'type'])))
    }
    if (textOf('key') === '' && type !== 'freetext') say('it names no column in `key`')
    if (textOf('additionalFilter') !== '') say('`additionalFilter` is not applied here')
    const filters = members.get('filters')
    const list: readonly unknown[] = Array.isArray(filters?.value) ? filters.value : []
    if (list.length === 0) say('it has no `filters`')
    list.forEach((filter, i) => {
      const entryPath = [...path, 'filters', i]
      const { op, value } = Object.fromEntries(this.#members(filter, FILTER, entryPath))
      const reason = typeof op?.value === 'string' ? emptiness(op.value, value?.value) : undefined
      if (reason !== undefined)
        this.diagnostics.push(policyDiagnostic('scope-condition', { reason }, atPath(entryPath)))
    })
  }
}

export function checkScopeShape(scope: unknown, path: JsonPath): readonly Diagnostic[] {
  return new ScopeChecker().check(scope, path)
}
