import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { CommandError } from '../../base/index.ts'
import { diskFiles, isDataFolder } from '../../store/durable/index.ts'
import { takeSnapshot, type Snapshot } from '../../store/persistence/index.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface SnapshotArguments {
  readonly data: string
  readonly to: string
}

/** Removes the files of a failed snapshot, so that the same command can be repeated. */
async function copied(data: string, to: string, signal: AbortSignal): Promise<Snapshot> {
  const found = statSync(to, { throwIfNoEntry: false })
  if (found?.isDirectory() === false) throw new CommandError(`${to} is a file; a snapshot is a folder.`)
  // Existing files are never removed.
  const isOurs = diskFiles.list(to).length === 0
  try {
    return await takeSnapshot(diskFiles, data, to, signal)
  } catch (error) {
    if (isOurs) emptyAgain(to, found !== undefined)
    throw signal.aborted ? new CommandError('Interrupted: nothing was copied.', 130) : error
  }
}

/** Removes what a failed snapshot has created in a folder that was empty or missing. */
function emptyAgain(folder: string, wasThere: boolean): void {
  for (const name of diskFiles.list(folder)) rmSync(join(folder, name), { recursive: true, force: true })
  if (!wasThere) rmSync(folder, { recursive: true, force: true })
}

async function run({ data, to }: SnapshotArguments, terminal: Terminal): Promise<void> {
  if (!isDataFolder(diskFiles, data)) throw new CommandError(`${data} is not a data folder.`)
  const { segments, batches } = await copied(data, to, terminal.signal)
  const counts = `${segments.toLocaleString('en-US')} segments and ${batches.toLocaleString('en-US')} batches`
  await terminal.write(`${to} has what ${data} held: ${counts}. \`sluice serve --data\` serves it.\n`)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .requiredOption('--data <folder>', 'the data folder of a server, which may be running')
    .requiredOption('--to <folder>', 'an empty or new folder; part files are hard links on the same disk')
    .action((options: SnapshotArguments) => run(options, terminal))
}
