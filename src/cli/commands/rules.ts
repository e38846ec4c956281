import { CommandError, SluiceError } from '../../base/index.ts'
import { namedFiles } from '../../sources/files/index.ts'
import { addTestCommand, readText } from '../alerts/test-command.ts'
import type { CommandModule } from '../command.ts'
import { tellFileFaults } from '../diagnostics-output.ts'
import type { Terminal } from '../terminal.ts'

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Checks rule files and prints their errors. Ends the command with exit code 1 if a file has errors. */
async function check(names: readonly string[], terminal: Terminal): Promise<void> {
  const { readRules } = await import('../../alerting/rules/index.ts')
  let isWrong = false
  for (const file of namedFiles(names).paths) {
    const text = readText(file)
    try {
      const groups = readRules(text)
      const rules = groups.reduce((total, group) => total + group.rules.length, 0)
      await terminal.write(`${file}: ${counted(groups.length, 'group')}, ${counted(rules, 'rule')}\n`)
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      tellFileFaults(error, text, file, terminal)
      isWrong = true
    }
  }
  if (isWrong) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command, terminal) => {
  command
    .command('check')
    .description('report all mistakes of rule files')
    .argument('<files...>', 'rule files of Prometheus: files, folders or quoted patterns')
    .action((files: string[]) => check(files, terminal))
  addTestCommand(command, terminal)
}
