import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../../base/index.ts'
import type { TestClock } from '../../alerting/service/index.ts'
import type { AlertingSettings } from '../../server/index.ts'
import type { Terminal } from '../terminal.ts'

export interface AlertingArguments {
  readonly notify?: string
  readonly alerting: string
  readonly testClock?: boolean
  readonly host: string
}

/** Addresses that only programs on this machine reach. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

/** Returns the clock of `--test-clock`; `undefined` without the option. */
export async function testClockOf({ testClock, host }: AlertingArguments): Promise<TestClock | undefined> {
  if (testClock !== true) return undefined
  if (!LOOPBACK.has(host))
    throw new CommandError(
      `--test-clock needs a loopback address as --host, not ${host}: every caller could move the time.`,
    )
  const { TestClock } = await import('../../alerting/service/index.ts')
  return new TestClock()
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandError(`--notify cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`, 1)
  }
}

/**
 * Returns the settings of `--notify` and `--alerting`; `undefined` if monitors are not evaluated. Paths of secrets are
 * relative to the file that names them.
 */
export function alertingOf(
  { notify, alerting }: AlertingArguments,
  testClock: TestClock | undefined,
  { env }: Terminal,
): AlertingSettings | undefined {
  if (alerting === 'off') {
    if (notify !== undefined)
      throw new CommandError('--notify needs --alerting on: without it no monitor is evaluated.')
    return undefined
  }
  const clock = testClock === undefined ? {} : { testClock }
  if (notify === undefined) return clock
  const folder = dirname(notify)
  return {
    ...clock,
    notify: textOf(notify),
    readSecret: (source) => {
      if ('file' in source) return readFileSync(resolve(folder, source.file), 'utf8').trimEnd()
      const value = env[source.env]
      if (value === undefined) throw new Error(`the environment has no ${source.env}`)
      return value
    },
  }
}
