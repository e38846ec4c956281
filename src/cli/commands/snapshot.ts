import type { Command } from 'commander'
import { diskFiles } from '../../store/durable/index.ts'
import { takeSnapshot } from '../../store/kept/index.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface SnapshotArguments {
  readonly data: string
  readonly to: string
}

async function run({ data, to }: SnapshotArguments, terminal: Terminal): Promise<void> {
  const { segments, batches } = await takeSnapshot(diskFiles, data, to)
  const counts = `${segments.toLocaleString('en-US')} segments and ${batches.toLocaleString('en-US')} batches`
  await terminal.write(`${to} has what ${data} held: ${counts}. \`sluice serve --data\` serves it.\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .requiredOption('--data <folder>', 'the data folder of a server, which may be running')
    .requiredOption('--to <folder>', 'a folder that is empty or not there; segments are hard links on the same disk')
    .action((options: SnapshotArguments) => run(options, terminal))
}
