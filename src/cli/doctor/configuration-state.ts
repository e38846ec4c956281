import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { CommandError, nearestNames } from '../../base/index.ts'
import { configPath, settingsOf, variablesOf } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** Variables that do not belong to an option. */
const OTHER_VARIABLES = ['SLUICE_API_KEY', 'SLUICE_CONFIG']

/** A `SLUICE_…` variable that no option reads. */
export interface UnknownVariable {
  readonly name: string
  /** Name of a similar variable that exists. */
  readonly near: string | undefined
}

/** Content of the configuration file and the environment. */
export interface ConfigurationState {
  readonly path: string
  readonly exists: boolean
  /** Error messages with which commands reject it, without duplicates. */
  readonly faults: readonly string[]
  readonly unknownVariables: readonly UnknownVariable[]
}

/**
 * Checks the configuration for every command. Sets options of `doctor` that are not on the command line to the values
 * that `serve` would use.
 */
export async function readConfiguration(
  doctor: Command,
  program: Command,
  terminal: Terminal,
): Promise<ConfigurationState> {
  const faults = new Set<string>()
  for (const command of program.commands) {
    try {
      const settings = await settingsOf(command, terminal)
      if (command.name() !== 'serve') continue
      for (const [option, { value, origin }] of settings) {
        const name = option.attributeName()
        const isGiven = doctor.getOptionValueSource(name) === 'cli'
        if (value !== undefined && !isGiven) doctor.setOptionValueWithSource(name, value, origin)
      }
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      faults.add(error.message)
    }
  }
  const known = [...OTHER_VARIABLES, ...new Set(program.commands.flatMap(variablesOf))]
  const unknownVariables = Object.keys(terminal.env)
    .filter((name) => name.startsWith('SLUICE_') && !known.includes(name))
    .map((name) => ({ name, near: nearestNames(name, known, 1)[0] }))
  const path = configPath(terminal)
  return { path, exists: existsSync(path), faults: [...faults], unknownVariables }
}
