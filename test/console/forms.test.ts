import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printJsonPath } from '../../src/base/index.ts'
import { parseJsonPlain, printJsonExact, type PlainJson } from '../../src/data/index.ts'
import { durationMs, durationText, roughDuration } from '../../src/console/forms/durations.ts'
import {
  formFaults,
  isObject,
  isObjectList,
  isSame,
  kindFor,
  otherMembers,
  prettyJson,
  readText,
  textOf,
  valueAt,
  withMember,
  withOthers,
  withOthersText,
  withText,
  withValue,
  withoutItem,
  type FormState,
  type JsonObject,
  type Path,
} from '../../src/console/forms/model.ts'
import type { FieldKind, FieldSpec, MemberSpec } from '../../src/console/forms/spec.ts'
import { jsonFormat } from '../../src/console/forms/text-formats.ts'
import { monitorSections } from '../../src/console/pages/monitors/monitor-spec.ts'
import { yamlFormat } from '../../src/console/pages/monitors/yaml-format.ts'

const members = monitorSections.flatMap((section) => section.members)

/** Values that a user can enter, by the kind of the field. */
const usual: Readonly<Record<FieldKind, fc.Arbitrary<PlainJson>>> = {
  text: fc.string(),
  lines: fc.string(),
  query: fc.string(),
  word: fc.string(),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.bigInt({ min: 2n ** 60n })),
  boolean: fc.boolean(),
  texts: fc.array(fc.string()),
  numbers: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
  map: fc.dictionary(fc.string(), fc.string()),
  value: fc.oneof(fc.string(), fc.integer(), fc.array(fc.string())),
  json: fc.jsonValue() as fc.Arbitrary<PlainJson>,
}

const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<PlainJson>

/** Generates objects with members that fit the specification, members that do not fit it, and unknown members. */
function objectOf(specs: readonly MemberSpec[], depth: number): fc.Arbitrary<JsonObject> {
  const named = specs.map((spec): fc.Arbitrary<readonly (readonly [string, PlainJson])[]> => {
    const fitting: fc.Arbitrary<PlainJson> =
      spec.kind === 'object'
        ? depth === 0
          ? fc.constant({})
          : objectOf(spec.members(), depth - 1)
        : spec.kind === 'list'
          ? depth === 0
            ? fc.constant([])
            : fc.array(objectOf(spec.members(), depth - 1), { maxLength: 2 })
          : usual[spec.kind]
    const value = fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: anything })
    return fc
      .option(value, { freq: 2, nil: undefined })
      .map((found) => (found === undefined ? [] : [[spec.name, found]]))
  })
  const others = fc.dictionary(fc.string(), anything, { maxKeys: 2 }).map((found) => Object.entries(found))
  return fc.tuple(...named, others).map((parts) => Object.fromEntries(parts.flat()))
}

/** Returns the value as the JSON parser would: integers that a double cannot represent become `bigint`. */
function asRead(value: PlainJson): PlainJson {
  return parseJsonPlain(printJsonExact(value))
}

const definition = objectOf(members, 3).map((value) => asRead(value) as JsonObject)

interface ShownField {
  readonly path: Path
  readonly spec: FieldSpec
}

/** Returns all fields that the form shows for a definition. */
function fieldsOf(value: JsonObject, specs: readonly MemberSpec[], path: Path = []): readonly ShownField[] {
  return specs.flatMap((spec): readonly ShownField[] => {
    const at = [...path, spec.name]
    const member = valueAt(value, at)
    if (spec.kind === 'object' && isObject(member)) return fieldsOf(value, spec.members(), at)
    if (spec.kind === 'list' && isObjectList(member))
      return member.flatMap((_, i) => fieldsOf(value, spec.members(), [...at, i]))
    if (spec.kind === 'object' || spec.kind === 'list')
      return member === undefined ? [] : [{ path: at, spec: { name: spec.name, label: '', kind: 'json' } }]
    return [{ path: at, spec }]
  })
}

const formOf = (value: JsonObject): FormState => ({ value, texts: {} })

describe('a definition in a form', () => {
  test('every field shows its value without loss', () => {
    fc.assert(
      fc.property(definition, (value) => {
        for (const { path, spec } of fieldsOf(value, members)) {
          const member = valueAt(value, path)
          const text = textOf(spec.kind, member)
          if (member === undefined || text === '') continue
          expect(readText(kindFor(spec.kind, member), text)).toEqual({ value: member })
        }
      }),
    )
  })

  test('typing the same text again changes nothing', () => {
    fc.assert(
      fc.property(definition, (value) => {
        for (const { path, spec } of fieldsOf(value, members)) {
          const kind = kindFor(spec.kind, valueAt(value, path))
          const text = textOf(spec.kind, valueAt(value, path))
          if (text !== '') expect(isSame(withText(formOf(value), path, kind, text).value, value)).toBe(true)
        }
      }),
    )
  })

  test('a change of one field keeps all others, known or not', () => {
    fc.assert(
      fc.property(definition, fc.nat(), (value, index) => {
        const fields = fieldsOf(value, members)
        const field = fields[index % Math.max(1, fields.length)]
        if (field === undefined) return
        const changed = withValue(value, field.path, 'changed')
        expect(valueAt(changed, field.path)).toBe('changed')
        expect(isSame(withValue(changed, field.path, valueAt(value, field.path)), value)).toBe(
          valueAt(value, field.path) !== undefined || valueAt(value, field.path.slice(0, -1)) !== undefined,
        )
      }),
    )
  })

  test('members without a field are kept, and can be typed as JSON', () => {
    fc.assert(
      fc.property(definition, (value) => {
        const others = otherMembers(value, members)
        expect(isSame(withOthers(value, members, others), value)).toBe(true)
        expect(isSame(withOthersText(formOf(value), [], members, prettyJson(others)).value, value)).toBe(true)
      }),
    )
  })

  test.each([yamlFormat, jsonFormat])('$title says the same', ({ print, parse }) => {
    fc.assert(
      fc.property(definition, (value) => {
        const read = parse(print(value))
        expect('value' in read && isSame(read.value, value)).toBe(true)
      }),
    )
  })
})

describe('texts that are no values yet', () => {
  const path = ['model', 'thresholds', 0, 'values']
  const form = formOf({ model: { thresholds: [{ values: [1] }, { values: [2] }, { values: [3] }] } })

  test('stay as they were typed and leave the value as it was', () => {
    const typed = withText(form, path, 'numbers', '5, x')
    expect(typed.value).toBe(form.value)
    expect(formFaults(typed, members)).toEqual([{ path: '$.model.thresholds[0].values', message: '“x” is no number.' }])
  })

  test('move along when an item before them is removed', () => {
    const typed = withText(form, ['model', 'thresholds', 2, 'values'], 'numbers', 'x')
    const less = withoutItem(typed, ['model', 'thresholds'], 0)
    expect(less.texts).toEqual({ '$.model.thresholds[1].values': 'x' })
    expect(less.value).toEqual({ model: { thresholds: [{ values: [2] }, { values: [3] }] } })
    expect(withoutItem(typed, ['model', 'thresholds'], 2).texts).toEqual({})
  })

  test('go with the part of the form that is removed', () => {
    const typed = withText(form, path, 'numbers', 'x')
    expect(withMember(typed, ['model'], undefined)).toEqual({ value: {}, texts: {} })
  })

  test('are found in objects that do not exist yet', () => {
    const typed = withText(formOf({}), ['catalog', 'version'], 'number', 'two')
    expect(formFaults(typed, members).map((fault) => fault.path)).toEqual(['$.catalog.version'])
  })

  test('names of a map that occur twice are kept', () => {
    const text = '[["a","1"],["a","2"]]'
    expect(readText('map', text)).toEqual({ fault: 'The name “a” stands there twice.' })
    expect(withText(formOf({}), ['labels'], 'map', text).texts[printJsonPath(['labels'])]).toBe(text)
  })
})

describe('lengths of time', () => {
  test.each([
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['1d 12h', 129_600_000],
    ['10 minutes', 600_000],
    ['1 hour 30 minutes', 5_400_000],
    ['500ms', 500],
    ['2', undefined],
    ['soon', undefined],
    ['', undefined],
  ])('%j', (text, ms) => expect(durationMs(text)).toBe(ms))

  test('written values are read back', () => {
    fc.assert(
      fc.property(fc.nat(), (ms) => {
        expect(durationMs(durationText(ms))).toBe(ms)
      }),
    )
  })

  test('people see two units', () => {
    expect([59_000, 3_600_000, 5_400_500, 93_784_000, 900_000_000].map(roughDuration)).toEqual([
      '59s',
      '1h',
      '1h 30m',
      '1d 2h',
      '1w 3d',
    ])
  })
})
