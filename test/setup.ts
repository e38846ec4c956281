import { configureGlobal } from 'fast-check'
import { afterAll, expect } from 'vitest'
import { watchRules } from '../src/optimize/watch.ts'

/** A test that fails, fails again: properties draw the same cases each time. The fuzzers are where new ones are drawn. */
configureGlobal({ seed: Number(process.env['SLUICE_SEED'] ?? 20_261_121) })

/** Every change of every rule in every test: the plan is sound, its columns are the same, and each guard stands. */
watchRules(({ rule }, faultsOf) => {
  const faults = faultsOf()
  if (faults.length > 0) throw new Error(`the rule ${rule.name}: ${faults.join('; ')}`)
})

const guarded = {
  Object,
  Array,
  Function,
  Map,
  Set,
  String,
  Number,
  BigInt,
  Boolean,
  RegExp,
  Date,
  Error,
  Promise,
  Symbol,
}

/** Own members of the built-in prototypes and constructors, with what they are. */
function builtIns(): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>()
  for (const [name, constructor] of Object.entries(guarded)) {
    for (const [owner, at] of [
      [constructor, name],
      [constructor.prototype as object, `${name}.prototype`],
    ] as const) {
      for (const key of Reflect.ownKeys(owner)) {
        const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, key) ?? {}
        found.set(`${at}.${String(key)}`, value ?? get ?? set)
      }
    }
  }
  return found
}

/** What test tools themselves leave behind. */
const TOOLS = new Set(['Error.prepareStackTrace', 'Error.stackTraceLimit'])

const before = builtIns()

afterAll(() => {
  const after = builtIns()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) =>
      !TOOLS.has(name) && (before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name))),
  )
  expect(changed, 'built-ins that are no longer what they were').toEqual([])
  expect(Object.keys(({} as Record<string, unknown>)['__proto__'] as object)).toEqual([])
})
