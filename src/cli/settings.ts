import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command, Option } from 'commander'
import { CommandError, errorCode, nearestNames } from '../base/index.ts'
import type { Terminal } from './terminal.ts'

/** An option set by the environment or the configuration. */
export interface Setting {
  readonly value: unknown
  /** Environment variable or file that sets the option. */
  readonly origin: string
}

/** Returns the path of the user's configuration, whether the file exists or not. */
export function configPath({ env }: Pick<Terminal, 'env'>): string {
  const given = env['SLUICE_CONFIG'] ?? ''
  if (given !== '') return given
  const base = env['XDG_CONFIG_HOME'] ?? ''
  return join(base === '' ? join(env['HOME'] ?? homedir(), '.config') : base, 'sluice', 'config.yaml')
}

type Config = Readonly<Record<string, unknown>>

function isMap(value: unknown): value is Config {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/**
 * Reads the configuration: options for all commands by name, and options of one command below its name. Empty if there
 * is no file.
 */
async function readConfig(path: string, isAskedFor: boolean): Promise<Config> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isAskedFor) return {}
    throw new CommandError(`The configuration ${path} cannot be read: ${error instanceof Error ? error.message : ''}.`)
  }
  const { parse } = await import('yaml')
  let config: unknown
  try {
    config = parse(text) ?? {}
  } catch (error) {
    throw new CommandError(`The configuration ${path} is not YAML: ${error instanceof Error ? error.message : ''}`)
  }
  if (!isMap(config)) throw new CommandError(`The configuration ${path} is not a map of options and commands.`)
  return config
}

/** Returns the name of an option in configuration files, such as `time-field` for `--time-field`. */
function nameOf(option: Option): string {
  return (option.long ?? option.short ?? '').replace(/^-+/, '')
}

/** Returns the names of an option, such as both names of `--since, --from`. */
function namesOf(option: Option): readonly string[] {
  return option.flags.match(/(?<=^|[\s,])--[a-z][a-z-]*/g)?.map((flag) => flag.slice(2)) ?? [nameOf(option)]
}

function settable(command: Command): readonly Option[] {
  return command.options.filter((option) => !['help', 'version'].includes(nameOf(option)))
}

function variableOf(...words: readonly string[]): string {
  return ['SLUICE', ...words].join('_').replaceAll('-', '_').toUpperCase()
}

/** Parses a value as the command line would. Throws CommandError. */
function valueOf(option: Option, given: unknown, origin: string): unknown {
  const refuse = (wanted: string): never => {
    throw new CommandError(`${origin}: --${nameOf(option)} needs ${wanted}, not \`${JSON.stringify(given)}\`.`)
  }
  if (option.isBoolean() || option.negate) {
    if (given === true || given === 'true' || given === '1') return true
    if (given === false || given === 'false' || given === '0' || given === '') return undefined
    return refuse('true or false')
  }
  const list = Array.isArray(given) ? (given as readonly unknown[]) : [given]
  if (list.length !== 1 && !option.variadic) return refuse('one value')
  const texts = list.map((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean'
      ? String(each)
      : refuse('a text or a number'),
  )
  const { argChoices, parseArg, variadic } = option
  for (const text of texts)
    if (argChoices !== undefined && !argChoices.includes(text)) refuse(`one of ${argChoices.join(', ')}`)
  if (parseArg !== undefined && argChoices === undefined)
    return texts.reduce<unknown>((previous, text) => parseArg(text, previous), option.defaultValue)
  return variadic ? texts : texts[0]
}

/** Returns the environment variables that set options of a command, including those for all commands. */
export function variablesOf(command: Command): readonly string[] {
  const names = settable(command).flatMap(namesOf)
  return names.flatMap((name) => [variableOf(command.name(), name), variableOf(name)])
}

function fromEnvironment(command: Command, option: Option, { env }: Terminal): Setting | undefined {
  for (const words of [[command.name()], []]) {
    for (const name of namesOf(option)) {
      const origin = variableOf(...words, name)
      const given = env[origin]
      if (given !== undefined && given !== '') return { value: valueOf(option, given, origin), origin }
    }
  }
  return undefined
}

function fromConfig(config: Config, isForAll: boolean, option: Option, path: string): Setting | undefined {
  for (const name of namesOf(option)) {
    // At the top level, a map under a command's name holds options of that command, not an option value.
    if (Object.hasOwn(config, name) && !(isForAll && isMap(config[name])))
      return { value: valueOf(option, config[name], path), origin: path }
  }
  return undefined
}

/** Throws CommandError for unknown names below a command. */
function checkNames(own: Config, command: Command, path: string): void {
  const known = settable(command).flatMap(namesOf)
  for (const name of Object.keys(own)) {
    if (known.includes(name)) continue
    const [nearest] = nearestNames(name, known, 1)
    const near = nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`
    throw new CommandError(`${path}: \`${command.name()}\` has no option \`${name}\`.${near}`)
  }
}

/**
 * Returns the options of a command from the environment and the configuration. Of these sources the first one that is
 * set counts: `SLUICE_QUERY_FORMAT`, `SLUICE_FORMAT`, `query: {format}`, `format`. Throws CommandError.
 */
export async function settingsOf(command: Command, terminal: Terminal): Promise<ReadonlyMap<Option, Setting>> {
  const path = configPath(terminal)
  const config = await readConfig(path, (terminal.env['SLUICE_CONFIG'] ?? '') !== '')
  for (const [name, value] of Object.entries(config)) {
    if (isMap(value) && command.parent?.commands.some((each) => each.name() === name) !== true)
      throw new CommandError(`${path}: there is no command \`${name}\`; options of all commands are not below a name.`)
  }
  const own = config[command.name()] ?? {}
  if (!isMap(own)) throw new CommandError(`${path}: below \`${command.name()}\` stand its options.`)
  checkNames(own, command, path)
  const settings = new Map<Option, Setting>()
  for (const option of settable(command)) {
    const found =
      fromEnvironment(command, option, terminal) ??
      fromConfig(own, false, option, path) ??
      fromConfig(config, true, option, path)
    if (found !== undefined) settings.set(option, found)
  }
  return settings
}

/** Sets options from the environment and the configuration as defaults, so that the command line overrides them. */
export async function applySettings(command: Command, terminal: Terminal): Promise<void> {
  for (const [option, { value, origin }] of await settingsOf(command, terminal)) {
    if (value !== undefined) command.setOptionValueWithSource(option.attributeName(), value, origin)
  }
}
