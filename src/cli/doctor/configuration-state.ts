import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { CommandError, nearestNames } from '../../base/index.ts'
import { configPath, settingsOf, variablesOf } from '../settings.ts'
import type { Terminal } from '../terminal.ts'

/** Variables that no option reads. */
const OTHER_VARIABLES = ['SLUICE_API_KEY', 'SLUICE_CONFIG']

/** A variable whose name begins as those of options do, and that nothing reads. */
export interface UnknownVariable {
  readonly name: string
  /** The variable that was probably meant. */
  readonly near: string | undefined
}

/** The configuration file and the environment, as the commands would read them. */
export interface ConfigurationState {
  readonly path: string
  readonly exists: boolean
  /** Sentences of the commands that refuse it, each once. */
  readonly faults: readonly string[]
  readonly unknownVariables: readonly UnknownVariable[]
}

/**
 * Reads the configuration for every command, and sets the options of `doctor` that the command line leaves out as
 * `serve` would have them.
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
