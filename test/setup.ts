import fs from 'node:fs'
import process from 'node:process'
import { configureGlobal } from 'fast-check'
import { afterAll, expect } from 'vitest'
import { watchRules } from '../src/optimize/watch.ts'

/** A failing test must fail again, so properties draw the same cases in each run. Only the fuzzers draw new ones. */
configureGlobal({ seed: Number(process.env['SLUICE_SEED'] ?? 20_261_121) })

/**
 * After every change that a rule makes in any test, checks that the plan stays valid, has the same columns, and keeps
 * each guard.
 */
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

/**
 * Functions and values that tests replace. The test files of a worker share them, and run in a different order each
 * time, so each file must restore them.
 */
const replaceable = [
  ['globalThis', globalThis, ['Date', 'fetch', 'performance', 'setTimeout', 'setInterval', 'setImmediate']],
  ['performance', performance, ['now']],
  ['process', process, ['nextTick', 'hrtime', 'kill', 'exit', 'exitCode']],
  ['fs', fs, Object.keys(fs)],
] as const

/** Signals and process events on which a test could leave a listener behind. */
const events = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2', 'uncaughtException', 'unhandledRejection', 'warning']

/** Yields all state that tests of a process share, except the built-ins. */
function* shared(): Generator<readonly [name: string, is: unknown]> {
  for (const [at, owner, names] of replaceable)
    for (const name of names) yield [`${at}.${name}`, (owner as Readonly<Record<string, unknown>>)[name]]
  for (const [name, value] of Object.entries(process.env)) yield [`process.env.${name}`, value]
  for (const event of events) yield [`listeners to ${event}`, process.listenerCount(event)]
  yield ['process.cwd()', process.cwd()]
}

/** Yields the own members of the built-in prototypes and constructors with their values. */
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

/** Changes made by the test tools themselves: the browser driver wraps `fs.close`. */
const TOOLS = new Set(['Error.prepareStackTrace', 'Error.stackTraceLimit', 'fs.close', 'fs.closeSync'])

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
