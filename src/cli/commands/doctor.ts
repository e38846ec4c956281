import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import type { CommandModule } from '../command.ts'
import { checks } from '../doctor/checks/index.ts'
import { readConfiguration } from '../doctor/configuration-state.ts'
import { jsonReport, runChecks, textReport } from '../doctor/report.ts'
import { choice } from '../options/choice-option.ts'
import { parseSize } from '../options/size-option.ts'
import type { Terminal } from '../terminal.ts'
import { addServeOptions, portNumber, workerCount, type ServeArguments } from './serve.ts'

interface DoctorArguments extends ServeArguments {
  readonly format: 'text' | 'json'
}

function sizeOf(text: string | undefined, option: string): number | undefined {
  return text === undefined ? undefined : parseSize(text, option, '0K')
}

async function run(command: Command, program: Command, terminal: Terminal): Promise<void> {
  const configuration = await readConfiguration(command, program, terminal)
  const options = command.opts<DoctorArguments>()
  const reported = await runChecks(checks, {
    options,
    configuration,
    env: terminal.env,
    nowNs: terminal.nowNs(),
    port: portNumber(options.port),
    workers: workerCount(options.workers),
    memoryBytes: sizeOf(options.memory, '--memory'),
    storeBytes: sizeOf(options.storeMemory, '--store-memory'),
    diskReserveBytes: sizeOf(options.diskReserve, '--disk-reserve'),
  })
  await terminal.write(options.format === 'json' ? jsonReport(reported) : textReport(reported))
  if (reported.some(({ status }) => status === 'problem')) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command, terminal, whole) => {
  command.description(
    `${command.description()}: takes the options of \`serve\`, from the command line and where \`serve\` reads them, and changes nothing. Exit code 1 if there is a problem.`,
  )
  addServeOptions(command)
    .addOption(choice('--format <format>', 'how to write the report', ['text', 'json']).default('text'))
    .action(async () => run(command, await whole(), terminal))
}
