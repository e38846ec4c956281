import fs from 'node:fs'
import process from 'node:process'
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
  TypedArray: Object.getPrototypeOf(Uint8Array) as { readonly prototype: object },
}

/** What tests put something else in the place of: the files of a worker share it, in an order that differs from run to run. */
const replaceable = [
  ['globalThis', globalThis, ['Date', 'fetch', 'performance', 'setTimeout', 'setInterval', 'setImmediate']],
  ['performance', performance, ['now']],
  ['process', process, ['nextTick', 'hrtime', 'kill', 'exit', 'exitCode']],
  ['fs', fs, Object.keys(fs)],
] as const

/** Signals and failures that somebody may listen to. */
const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'uncaughtException', 'unhandledRejection', 'warning']

/** What all of a process shares beside the built-ins. */
function* shared(): Generator<readonly [name: string, is: unknown]> {
  for (const [at, owner, names] of replaceable)
    for (const name of names) yield [`${at}.${name}`, (owner as Readonly<Record<string, unknown>>)[name]]
  for (const [name, value] of Object.entries(process.env)) yield [`process.env.${name}`, value]
  for (const event of events) yield [`listeners to ${event}`, process.listenerCount(event)]
  yield ['process.cwd()', process.cwd()]
}

/** Own members of the built-in prototypes and constructors, with what they are. */
function* builtIns(): Generator<readonly [name: string, is: unknown]> {
  for (const [name, constructor] of Object.entries(guarded)) {
    for (const [owner, at] of [
      [constructor, name],
      [constructor.prototype as object, `${name}.prototype`],
    ] as const) {
      for (const key of Reflect.ownKeys(owner)) {
        const { value, get, set } = Reflect.getOwnPropertyDescriptor(owner, key) ?? {}
        yield [`${at}.${String(key)}`, value ?? get ?? set]
      }
    }
  }
}

/** What test tools themselves leave behind. */
const TOOLS = new Set(['Error.prepareStackTrace', 'Error.stackTraceLimit'])

const found = (): ReadonlyMap<string, unknown> => new Map([...builtIns(), ...shared()])
const before = found()

afterAll(() => {
  const after = found()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) =>
      !TOOLS.has(name) && (before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name))),
  )
  expect(changed, 'what all tests share is no longer what it was').toEqual([])
  expect(Object.keys(({} as Record<string, unknown>)['__proto__'] as object)).toEqual([])
})
