import { Option, type Command } from 'commander'
import { CommandError } from '../../base/index.ts'

interface Conditions {
  /** The option has an effect only with one of these. */
  readonly needs: readonly string[]
  /** The option has no effect together with any of these. */
  readonly excludes: readonly string[]
}

const conditions = new WeakMap<Option, Conditions>()

function conditionsOf(option: Option): Conditions {
  return conditions.get(option) ?? { needs: [], excludes: [] }
}

/** Marks an option as effective only together with one of `needs`, and says so in its help. */
export function needing(option: Option, ...needs: readonly string[]): Option {
  conditions.set(option, { ...conditionsOf(option), needs })
  option.description = `with ${needs.join(' or ')}: ${option.description}`
  return option
}

/** Marks an option as ineffective together with any of the others. */
export function excluding(option: Option, ...excludes: readonly string[]): Option {
  conditions.set(option, { ...conditionsOf(option), excludes })
  return option
}

/** True if the option has this name; an option such as `--since, --from` has two. */
function isNamed({ flags }: Option, name: string): boolean {
  return flags.split(/[ ,]+/).includes(name)
}

function isGiven(command: Command, name: string): boolean {
  const option = command.options.find((each) => isNamed(each, name))
  if (option === undefined) return false
  const member = option.attributeName()
  return command.getOptionValue(member) !== undefined && command.getOptionValueSource(member) !== 'default'
}

/**
 * Throws CommandError for an option on the command line that has no effect. The environment and the configuration apply
 * to all commands, so an option from there that has no effect is reset to its default.
 */
export function checkConditions(command: Command): void {
  for (const option of command.options) {
    const [name = ''] = option.flags.split(/[ ,]+/)
    const found = conditions.get(option)
    if (found === undefined || !isGiven(command, name)) continue
    const { needs, excludes } = found
    const other = excludes.find((each) => isGiven(command, each))
    const fault =
      other !== undefined
        ? `Either ${other} or ${name} can be given, not both.`
        : needs.length > 0 && !needs.some((each) => isGiven(command, each))
          ? `${name} goes with ${needs.join(' or ')}.`
          : undefined
    if (fault === undefined) continue
    const member = option.attributeName()
    if (command.getOptionValueSource(member) === 'cli') throw new CommandError(fault)
    command.setOptionValueWithSource(member, option.defaultValue, 'default')
  }
}
