import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CommandError } from '../../base/index.ts'
import { SourceError, type RuleFile } from '../../alerting/rules/index.ts'
import type { TestClock } from '../../alerting/service/index.ts'
import type { AlertingSettings } from '../../server/index.ts'
import { namedFiles } from '../../sources/files/index.ts'
import { readText } from '../alerts/test-command.ts'
import { tellFileFaults } from '../diagnostics-output.ts'
import type { Terminal } from '../terminal.ts'

export interface AlertingArguments {
  readonly notify?: string
  readonly alerting: string
  /** Rule files, folders and patterns. */
  readonly rules: readonly string[]
  readonly externalLabel: readonly string[]
  readonly testClock?: boolean
  readonly host: string
}

/** Host names that are reachable only from this machine. */
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

function externalLabelsOf(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
      if (name === undefined || value === undefined)
        throw new CommandError(`--external-label needs a name and a value such as region=eu, not \`${text}\`.`)
      return [name, value]
    }),
  )
}

/** Reads the rule files that the arguments match now. Throws CommandError for a file that cannot be read. */
function ruleFiles(names: readonly string[]): readonly RuleFile[] {
  return [...new Set(namedFiles(names).paths)].map((name) => ({ name, text: readText(name) }))
}

/** Runs `work`. Prints errors of a rule file with their positions, and ends the command with exit code 1. */
export async function withRulePlaces<T>(terminal: Terminal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    tellFileFaults(error, error.text, error.source, terminal)
    throw new CommandError('', 1)
  }
}

/**
 * Returns the settings from `--notify`, `--rules`, `--external-label` and `--alerting`; `undefined` if none of them
 * turns alerting on. Paths of secrets are relative to the file that names them.
 */
export function alertingOf(
  { notify, alerting, rules, externalLabel }: AlertingArguments,
  testClock: TestClock | undefined,
  { env }: Terminal,
): AlertingSettings | undefined {
  if (alerting === 'off') {
    if (notify !== undefined)
      throw new CommandError('--notify needs --alerting on: without it no monitor is evaluated.')
    if (rules.length > 0) throw new CommandError('--rules needs --alerting on: without it no rule is evaluated.')
    return undefined
  }
  const settings = {
    externalLabels: externalLabelsOf(externalLabel),
    ...(rules.length === 0 ? {} : { rules: () => ruleFiles(rules) }),
    ...(testClock === undefined ? {} : { testClock }),
  }
  if (notify === undefined) return settings
  const folder = dirname(notify)
  return {
    ...settings,
    notify: textOf(notify),
    readSecret: (source) => {
      if ('file' in source) return readFileSync(resolve(folder, source.file), 'utf8').trimEnd()
      const value = env[source.env]
      if (value === undefined) throw new Error(`the environment has no ${source.env}`)
      return value
    },
  }
}
