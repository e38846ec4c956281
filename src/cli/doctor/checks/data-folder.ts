import { accessSync, constants, readdirSync, statSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { SluiceError, errorCode } from '../../../base/index.ts'
import { diskFiles, isDataFolder, logNames, readLog, readMarker } from '../../../store/durable/index.ts'
import { modeText, ok, problem, warning, type Check, type Finding } from '../check.ts'

/** Mode bits of group and others. */
const OTHERS = 0o077

/** Returns the reason why this user cannot write in a folder; `undefined` if writing is possible. */
function refusalOf(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return errorCode(error) ?? String(error)
  }
}

const OWNER_FIX =
  'Make the user of the server its owner: `chown -R USER FOLDER`. On a read-only disk, name another folder.'

/** Checks a folder that does not exist yet: its nearest existing parent must be writable. */
function findMissing(folder: string): Finding {
  let parent = dirname(resolve(folder))
  while (statSync(parent, { throwIfNoEntry: false }) === undefined) parent = dirname(parent)
  const refusal = refusalOf(parent)
  return refusal === undefined
    ? ok(`The folder ${folder} does not exist; the first start makes it.`)
    : problem(`The folder ${folder} does not exist and cannot be made in ${parent} (${refusal}).`, OWNER_FIX)
}

/** Returns files whose owner differs from that of the folder. Commands run by another user leave such files. */
function strangers(folder: string, { uid }: Stats): readonly string[] {
  return readdirSync(folder).filter(
    (name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.uid ?? uid) !== uid,
  )
}

/** Reads the marker and all logs. Part files are left to `sluice repair`, since reading them takes long. */
function findDamage(folder: string): Finding {
  const id = readMarker(diskFiles, folder)
  if (id === undefined) {
    if (!isDataFolder(diskFiles, folder) && readdirSync(folder).length === 0)
      return ok(`The folder ${folder} is empty; the first start fills it.`)
    if (!isDataFolder(diskFiles, folder))
      return warning(`The folder ${folder} has files, but none of Sluice.`, 'Make sure that it is the right folder.')
    return problem(`The folder ${folder} has no marker.`, 'See what can be saved: `sluice repair --data FOLDER`.')
  }
  for (const part of logNames) for (const _ of readLog(diskFiles, folder, part, id)) void _
  return ok(`The folder ${folder} is of this version, and its logs are whole.`)
}

function findIn(folder: string, stats: Stats): readonly Finding[] {
  const refusal = refusalOf(folder)
  if (refusal !== undefined)
    return [problem(`This user cannot read and write the folder ${folder} (${refusal}).`, OWNER_FIX)]
  const others = strangers(folder, stats)
  return [
    findDamage(folder),
    ...(others.length === 0
      ? []
      : [warning(`${others.join(', ')} in ${folder} belong to another user than the folder.`, OWNER_FIX)]),
    // On Windows, the mode does not show permissions.
    ...(process.platform === 'win32' || (stats.mode & OTHERS) === 0
      ? []
      : [
          warning(
            `Others can list the folder ${folder} (mode ${modeText(stats.mode)}); its files are their owner's alone.`,
            'Close it: `chmod 700 FOLDER`.',
          ),
        ]),
  ]
}

export const dataFolder: Check = {
  name: 'data folder',
  find: ({ options: { data, catalog } }) => {
    if (data === undefined)
      return [
        catalog === undefined
          ? warning(
              'Without --data everything that is sent is lost when the server stops.',
              'Name a folder: --data FOLDER.',
            )
          : ok('There is no data folder: the databases of the catalog have the data.'),
      ]
    const stats = statSync(data, { throwIfNoEntry: false })
    if (stats === undefined) return [findMissing(data)]
    if (!stats.isDirectory()) return [problem(`${data} is not a folder.`, 'Name a folder: --data FOLDER.')]
    try {
      return findIn(data, stats)
    } catch (error) {
      if (!(error instanceof SluiceError)) throw error
      return [problem(error.message, error.diagnostics.flatMap(({ notes }) => notes).join(' '))]
    }
  },
}
