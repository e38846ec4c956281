import { printJsonPath, type JsonPath } from '../../base/index.ts'
import { isJsonObject, parseJsonPlain, printJsonExact, type PlainJson } from '../../data/index.ts'
import type { FieldKind, MemberSpec } from './spec.ts'

export type JsonObject = { readonly [name: string]: PlainJson }
export type Path = JsonPath

/** State of a form: the definition as edited so far, and the typed texts. */
export interface FormState {
  readonly value: JsonObject
  /**
   * Typed texts by the path of their field. A field without a typed text shows the value, so members that were not
   * edited stay unchanged.
   */
  readonly texts: Readonly<Record<string, string>>
}

/** Result of parsing an input: a value, no value, or an error. */
export type InputResult = { readonly value: PlainJson | undefined } | { readonly fault: string }

export function isObject(value: PlainJson | undefined): value is JsonObject {
  return isJsonObject(value)
}

/** True for a list of objects, which a form shows as repeated sections. */
export function isObjectList(value: PlainJson | undefined): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every((item: PlainJson) => isObject(item))
}

/** Formats a value: strings unchanged, other values as JSON, a missing value as an empty text. */
export function stringOf(value: PlainJson | undefined): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : printJsonExact(value)
}

export function isSame(a: PlainJson | undefined, b: PlainJson | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    const others = b as readonly PlainJson[]
    return a.length === others.length && a.every((item: PlainJson, i) => isSame(item, others[i]))
  }
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]))
  )
}

/** Formats a value over several lines, indented by two blanks for each level. */
export function prettyJson(value: PlainJson, indent = ''): string {
  const inner = `${indent}  `
  if (Array.isArray(value))
    return value.length === 0
      ? '[]'
      : `[\n${value.map((item: PlainJson) => inner + prettyJson(item, inner)).join(',\n')}\n${indent}]`
  if (!isObject(value)) return printJsonExact(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${prettyJson(member, inner)}`,
  )
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
}

function jsonOf(text: string): PlainJson | undefined {
  try {
    return parseJsonPlain(text)
  } catch {
    return undefined
  }
}

const INTEGER = /^-?\d+$/

function numberOf(text: string): PlainJson | undefined {
  const number = text.trim() === '' ? NaN : Number(text)
  if (!Number.isFinite(number)) return undefined
  return INTEGER.test(text.trim()) && !Number.isSafeInteger(number) ? BigInt(text) : number
}

type Pair = readonly [name: string, text: string]

/** Returns the rows of a map as typed: names may be missing or duplicate. */
export function pairsOf(text: string): readonly Pair[] {
  return text === '' ? [] : (JSON.parse(text) as readonly Pair[])
}

export const textOfPairs = (pairs: readonly Pair[]): string => (pairs.length === 0 ? '' : JSON.stringify(pairs))

function readPairs(text: string): InputResult {
  const pairs = pairsOf(text).filter(([name, value]) => name !== '' || value !== '')
  const names = pairs.map(([name]) => name)
  if (names.includes('')) return { fault: 'Each line needs a name.' }
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) return { fault: `The name “${twice}” stands there twice.` }
  return { value: pairs.length === 0 ? undefined : Object.fromEntries(pairs) }
}

function readNumbers(text: string): InputResult {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '')
  const numbers = parts.map(numberOf)
  const bad = numbers.indexOf(undefined)
  if (bad !== -1) return { fault: `“${parts[bad] ?? ''}” is no number.` }
  return { value: parts.length === 0 ? undefined : (numbers as readonly PlainJson[]) }
}

/** Parses the text of a field of a kind. */
export function readText(kind: FieldKind, text: string): InputResult {
  if (kind === 'map') return readPairs(text)
  if (kind === 'numbers') return readNumbers(text)
  if (text === '') return { value: undefined }
  switch (kind) {
    case 'number': {
      const value = numberOf(text)
      return value === undefined ? { fault: `“${text}” is no number.` } : { value }
    }
    case 'boolean':
      return { value: text === 'true' }
    case 'texts':
      return { value: text.split('\n').filter((line) => line !== '') }
    case 'value':
      return { value: jsonOf(text) ?? text }
    case 'json': {
      if (text.trim() === '') return { value: undefined }
      const value = jsonOf(text)
      return value === undefined ? { fault: 'This is not JSON.' } : { value }
    }
    case 'text':
    case 'lines':
    case 'query':
    case 'word':
      return { value: text }
  }
}

/** Formats a value for a field of a kind. Only `json` can show every value. */
function writeText(kind: FieldKind, value: PlainJson): string {
  if (kind === 'json') return prettyJson(value)
  if (kind === 'map')
    return isObject(value) ? textOfPairs(Object.entries(value).map(([name, text]) => [name, stringOf(text)])) : ''
  if (kind === 'texts') return Array.isArray(value) ? value.join('\n') : ''
  if (kind === 'numbers') return Array.isArray(value) ? value.join(', ') : ''
  const isBare = typeof value === 'string' && (kind !== 'value' || jsonOf(value) === undefined)
  return isBare ? value : printJsonExact(value)
}

/**
 * True if a field of this kind shows the value as an empty text. The value remains until the user types into the field.
 */
function isBlank(kind: FieldKind, value: PlainJson): boolean {
  if (kind === 'map') return isSame(value, {})
  if (kind === 'texts' || kind === 'numbers') return isSame(value, [])
  return value === '' && kind !== 'json' && kind !== 'number' && kind !== 'boolean'
}

/** Returns the kind of field that shows a value without loss: the given kind, or `json` for a value of another type. */
export function kindFor(kind: FieldKind, value: PlainJson | undefined): FieldKind {
  if (value === undefined || isBlank(kind, value)) return kind
  const result = readText(kind, writeText(kind, value))
  return 'value' in result && isSame(result.value, value) ? kind : 'json'
}

export function textOf(kind: FieldKind, value: PlainJson | undefined): string {
  return value === undefined ? '' : writeText(kindFor(kind, value), value)
}

export function valueAt(value: PlainJson | undefined, path: Path): PlainJson | undefined {
  let at = value
  for (const step of path) {
    if (typeof step === 'number') at = Array.isArray(at) ? (at as readonly PlainJson[])[step] : undefined
    else at = isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
  }
  return at
}

/**
 * Returns a copy of a value with the value at a path replaced, or removed for `undefined`. Creates missing objects on
 * the path.
 */
export function withValue(value: PlainJson | undefined, path: Path, next: PlainJson | undefined): PlainJson {
  const [step, ...rest] = path
  if (step === undefined) return next ?? {}
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? (value as readonly PlainJson[]) : []
    return list.with(step, withValue(list[step], rest, next))
  }
  const object: JsonObject = isObject(value) ? value : {}
  if (rest.length > 0 || next !== undefined)
    return { ...object, [step]: rest.length === 0 ? (next ?? null) : withValue(object[step], rest, next) }
  const { [step]: _, ...others } = object
  return others
}

/** Returns the text that a field displays. */
export function shownText({ value, texts }: FormState, path: Path, kind: FieldKind): string {
  return texts[printJsonPath(path)] ?? textOf(kind, valueAt(value, path))
}

/** Returns the form after typing into a field. If the text cannot be parsed, the value is unchanged. */
export function withText(form: FormState, path: Path, kind: FieldKind, text: string): FormState {
  const texts = { ...form.texts, [printJsonPath(path)]: text }
  const result = readText(kind, text)
  if (!('value' in result)) return { ...form, texts }
  return { value: withValue(form.value, path, result.value) as JsonObject, texts }
}

/** Returns the form with the value at a path replaced, and without texts typed there. */
export function withMember(form: FormState, path: Path, next: PlainJson | undefined): FormState {
  const fieldPath = printJsonPath(path)
  const texts = Object.entries(form.texts).filter(([key]) => !isInside(key, fieldPath))
  return { value: withValue(form.value, path, next) as JsonObject, texts: Object.fromEntries(texts) }
}

/** Returns the form without an item of a list. Texts of later items move with them. */
export function withoutItem(form: FormState, path: Path, index: number): FormState {
  const list = valueAt(form.value, path)
  if (!Array.isArray(list)) return form
  const start = `${printJsonPath(path)}[`
  const texts = Object.entries(form.texts).flatMap(([key, text]): [string, string][] => {
    const found = key.startsWith(start) ? /^(\d+)\](.*)$/s.exec(key.slice(start.length)) : null
    if (found === null) return [[key, text]]
    const [, digits = '', rest = ''] = found
    const at = Number(digits)
    return at === index ? [] : [[`${start}${at > index ? at - 1 : at}]${rest}`, text]]
  })
  const next = (list as readonly PlainJson[]).toSpliced(index, 1)
  return { value: withValue(form.value, path, next) as JsonObject, texts: Object.fromEntries(texts) }
}

/** True if a path is equal to another one or below it. */
export function isInside(path: string, inner: string): boolean {
  return path === inner || (path.startsWith(inner) && /^[.[]/.test(path.slice(inner.length)))
}

/** Members of an object that its specification does not name. */
export function otherMembers(value: PlainJson | undefined, members: readonly MemberSpec[]): JsonObject {
  const known = new Set(members.map(({ name }) => name))
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name))) : {}
}

/** Returns an object with its known members kept and all others replaced. */
export function withOthers(
  value: PlainJson | undefined,
  members: readonly MemberSpec[],
  others: JsonObject,
): JsonObject {
  const known = new Set(members.map(({ name }) => name))
  const kept = isObject(value) ? Object.entries(value).filter(([name]) => known.has(name)) : []
  return { ...Object.fromEntries(kept), ...others }
}

/** Path step of the field for members without a specification. No member has this name. */
export const OTHERS = '*'

/** Returns the form after the members without a specification were typed as JSON. */
export function withOthersText(form: FormState, path: Path, members: readonly MemberSpec[], text: string): FormState {
  const texts = { ...form.texts, [printJsonPath([...path, OTHERS])]: text }
  const value = text.trim() === '' ? {} : jsonOf(text)
  if (!isObject(value)) return { ...form, texts }
  const next = withOthers(valueAt(form.value, path), members, value)
  return { value: (path.length === 0 ? next : withValue(form.value, path, next)) as JsonObject, texts }
}

/** A field whose text cannot be parsed. */
export interface FieldFault {
  readonly path: string
  readonly message: string
}

/** Returns the errors of all field texts of a form. */
export function formFaults(form: FormState, members: readonly MemberSpec[], path: Path = []): readonly FieldFault[] {
  const others = form.texts[printJsonPath([...path, OTHERS])]
  const own = others !== undefined && others.trim() !== '' && !isObject(jsonOf(others))
  return [
    ...members.flatMap((member): readonly FieldFault[] => {
      const at = [...path, member.name]
      const value = valueAt(form.value, at)
      const isShown = isObject(value) || (value === undefined && form.texts[printJsonPath(at)] === undefined)
      if (member.kind === 'object' && isShown) return formFaults(form, member.members(), at)
      if (member.kind === 'list' && isObjectList(value))
        return value.flatMap((_, i) => formFaults(form, member.members(), [...at, i]))
      const text = form.texts[printJsonPath(at)]
      if (text === undefined) return []
      const kind = member.kind === 'object' || member.kind === 'list' ? 'json' : kindFor(member.kind, value)
      const result = readText(kind, text)
      return 'fault' in result ? [{ path: printJsonPath(at), message: result.fault }] : []
    }),
    ...(own ? [{ path: printJsonPath([...path, OTHERS]), message: 'This is not a JSON object.' }] : []),
  ]
}
