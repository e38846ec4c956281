import type { Command } from 'commander'
import {
  CommandError,
  SluiceError,
  runToEnd,
  formatRfc3339,
  runCooperatively,
  present,
  untilAborted,
  type StepwiseTask,
} from '../../base/index.ts'
import { findDecoder, newTarget, printKeyFile, readKeyFile, salvageKeyFile, targetInLog } from '../../server/index.ts'
import {
  Manifest,
  decodeBatch,
  diskFiles,
  isDataFolder,
  lockFolder,
  manifestOf,
  openLog,
  readFile,
  repairFolder,
  replaceFile,
  surveyFolder,
  type FolderSurvey,
  type ManifestState,
  type PartEntry,
  type LogSurvey,
} from '../../store/durable/index.ts'
import {
  asideFiles,
  extentOf,
  liveEntries,
  restoreAside,
  setPartsAside,
  setStraysAside,
  surveyFiles,
  type AsideFile,
  type Extent,
  type FilesSurvey,
} from '../../store/persistence/index.ts'
import type { CommandModule } from '../command.ts'
import { MAX_DOCUMENT_BYTES } from '../load-kind.ts'
import type { Terminal } from '../terminal.ts'

interface RepairArguments {
  readonly data?: string
  readonly keys?: string
  readonly write?: boolean
  readonly acceptLostChanges?: boolean
  readonly restore?: string
}

const MAX_RANGES = 10
const KEYS = ['key', 'keys'] as const
const FILES = ['file of rows', 'files of rows'] as const
const ROWS = ['row', 'rows'] as const
const WHOLE_FILES = ['whole file', 'whole files'] as const

const BATCHES = ['batch', 'batches'] as const
const RECORDS = ['record', 'records'] as const
const UNITS = { batches: BATCHES, samples: BATCHES, manifest: RECORDS, resources: RECORDS }

/** Formats `1 batch`, `1,200 batches`. */
function counted(count: number, [one, many]: readonly [string, string]): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}

function lostCount({ lost }: LogSurvey): number {
  return lost.reduce((sum, { first, last }) => sum + last - first + 1, 0)
}

function idsOf({ lost }: LogSurvey): string {
  const shown = lost.slice(0, MAX_RANGES).map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
  return shown.join(', ') + (lost.length > MAX_RANGES ? ', …' : '')
}

/** Returns the number of rows in the intact batches. */
function rowsOf({ records }: LogSurvey): number {
  let rows = 0
  for (const record of records()) {
    if (record.body.length === 0) continue
    const batch = decodeBatch(record)
    const { table, format, payload, receivedNs, options } = batch
    const decoder = findDecoder(table, format)
    if (decoder !== undefined)
      rows += runToEnd(
        runToEnd(decoder.decode(payload, receivedNs, options)).apply(targetInLog(newTarget(), batch)),
      ).accepted
  }
  return rows
}

function describePart(survey: LogSurvey): readonly string[] {
  const { logName, damage, kept } = survey
  const units = UNITS[logName]
  if (damage === undefined) return [`${logName}: whole, ${counted(kept, units)}`]
  const rows = UNITS[logName] === BATCHES ? ` with ${counted(rowsOf(survey), ROWS)}` : ''
  const lost = lostCount(survey)
  return [
    `${logName}: ${damage}`,
    `  kept: ${counted(kept, units)}${rows}`,
    `  lost: ${counted(lost, units)}${lost === 0 ? '' : `, ${idsOf(survey)}`}`,
    ...(survey.isEndKnown ? [] : ['  Nothing says where the log ended: more may be missing behind its last record.']),
  ]
}

function describe(survey: FolderSurvey): readonly string[] {
  return [`marker: ${survey.markerDamage ?? 'whole'}`, ...survey.logs.flatMap(describePart)]
}

/** Formats `100 rows of logs, from … to …`. */
function describeRows(table: string, { rows, firstNs, lastNs }: Extent): string {
  const unit = table === 'samples' ? (['sample', 'samples'] as const) : ROWS
  const of = table === 'samples' ? '' : ` of ${table}`
  return `${counted(rows, unit)}${of}, from ${formatRfc3339(firstNs, true)} to ${formatRfc3339(lastNs, true)}`
}

/** Describes the rows of a part, without deleted ones. */
function describePartRows(table: string, part: PartEntry): string {
  return describeRows(table, present(extentOf(liveEntries(part)), 'a row group that is left'))
}

/** Lists files that earlier repairs set aside. */
function describeAside({ tables }: ManifestState): readonly string[] {
  const all = [...tables.values()].flatMap(({ table, aside }) => aside.map((entry) => ({ table, entry })))
  return all.map(({ table, entry }) => `set aside: ${entry.name}, ${describePartRows(table, entry)}`)
}

function describeFound({ table, entry, path, damage }: AsideFile): string {
  if (path === undefined) return `not found: ${entry.name}, ${describePartRows(table, entry)}`
  if (damage !== undefined) return `not whole: ${damage}`
  return `whole: ${entry.name}, ${describePartRows(table, entry)}`
}

/** Describes part files and dictionaries; empty if the manifest names none. */
function describeFiles({ whole, parts, dictionaries }: FilesSurvey): readonly string[] {
  if (whole + parts.length + dictionaries.length === 0) return []
  const damaged = parts.flatMap(({ table, damage, lost }) => [
    `rows: ${damage}`,
    `  lost: ${lost === undefined ? 'nothing, its row groups are whole' : describeRows(table, lost)}`,
  ])
  const mended = dictionaries.map(({ damage }) => `rows: ${damage}\n  lost: nothing, it is made again from the parts`)
  return [...damaged, ...mended, `rows: ${counted(whole, WHOLE_FILES)}`]
}

function losesChanges(survey: FolderSurvey): boolean {
  return survey.logs.some((each) => each.logName === 'resources' && (each.lost.length > 0 || !each.isEndKnown))
}

/** Removes damaged keys from the key file; intact ones stay. */
async function repairKeys(path: string, write: boolean, terminal: Terminal): Promise<void> {
  const bytes = readFile(diskFiles, path, MAX_DOCUMENT_BYTES)
  if (bytes === undefined) throw new CommandError(`There is no key file ${path}.`)
  const text = bytes.toString()
  try {
    const { records } = readKeyFile(text)
    await terminal.write(`keys: whole, ${counted(records.length, KEYS)}\n`)
    return
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    await terminal.write(`keys: ${error.message}\n`)
  }
  const kept = salvageKeyFile(text)
  if (kept === undefined || kept.records.length === 0)
    throw new CommandError('Nothing of it can be kept: move it away, and make keys with `sluice keys add`.', 1)
  const ids = kept.records.map(({ hash }) => hash.slice(0, 8)).join(', ')
  await terminal.write(`  kept: ${counted(kept.records.length, KEYS)}, ${ids}\n`)
  if (!write)
    throw new CommandError(`Nothing was changed. \`sluice repair --keys ${path} --write\` keeps what can be kept.`, 1)
  replaceFile(diskFiles, `${path}.damaged`, bytes)
  replaceFile(diskFiles, path, Buffer.from(printKeyFile(kept.salt, kept.records)))
  await terminal.write(`The key file is whole again; the damaged one is ${path}.damaged.\n`)
}

async function run(
  { data, keys, write = false, acceptLostChanges, restore }: RepairArguments,
  terminal: Terminal,
): Promise<void> {
  if (data === undefined && keys === undefined) throw new CommandError('repair needs --data, --keys, or both.')
  if (keys !== undefined) await repairKeys(keys, write, terminal)
  if (restore !== undefined && data === undefined)
    throw new CommandError('--restore needs --data, the folder that the files come back to.')
  if (data !== undefined) await repairData(data, { write, acceptsLoss: acceptLostChanges === true, restore }, terminal)
}

/** Inspects all files, which may take minutes. An interrupt stops the inspection before anything is changed. */
async function looked<T>(turns: StepwiseTask<T>, { signal }: Terminal): Promise<T> {
  try {
    return await runCooperatively(untilAborted(turns, signal))
  } catch (error) {
    throw signal.aborted ? new CommandError('Interrupted: nothing was changed.', 130) : error
  }
}

interface RepairDataOptions {
  readonly write: boolean
  readonly acceptsLoss: boolean
  /** Folder with intact copies of the files that earlier repairs set aside. */
  readonly restore: string | undefined
}

async function repairData(
  data: string,
  { write, acceptsLoss, restore }: RepairDataOptions,
  terminal: Terminal,
): Promise<void> {
  if (!isDataFolder(diskFiles, data)) throw new CommandError(`${data} is not a data folder.`)
  const unlock = await lockFolder(data)
  try {
    const survey = surveyFolder(diskFiles, data)
    const manifest = present(survey.logs.find(({ logName }) => logName === 'manifest'))
    const state = manifestOf(manifest.records())
    const rows = await looked(surveyFiles(diskFiles, data, state), terminal)
    const lines = [...describe(survey), ...describeFiles(rows), ...describeAside(state)]
    for (const line of lines) await terminal.write(`${line}\n`)
    if (survey.isWhole && rows.parts.length === 0) {
      if (restore !== undefined) await bringBack(data, { from: restore, state, write }, terminal)
      return
    }
    if (restore !== undefined)
      throw new CommandError('Nothing was changed. The folder is damaged: repair it without `--restore` first.', 1)
    const accept = losesChanges(survey)
    if (accept)
      await terminal.write(
        'Among the lost changes of monitors, silences and policies may be some that restricted a user, who then sees more than before.\n',
      )
    const flags = accept ? '--write --accept-lost-changes' : '--write'
    if (!write)
      throw new CommandError(
        `Nothing was changed. \`sluice repair --data ${data} ${flags}\` keeps what can be kept.`,
        1,
      )
    if (accept && !acceptsLoss)
      throw new CommandError(
        'Nothing was changed. Add `--accept-lost-changes`, then look through the policies before users are let in.',
        1,
      )
    const isNamed = manifest.damage === undefined
    const strays = isNamed ? undefined : setStraysAside(diskFiles, data, manifestOf(manifest.records()))
    if (strays !== undefined)
      await terminal.write(
        `${counted(strays.count, FILES)} that the manifest no longer names are kept in ${strays.path}; their rows are not served.\n`,
      )
    const asides = survey.isWhole ? [] : [repairFolder(diskFiles, survey)]
    const after = surveyFolder(diskFiles, data)
    if (!after.isWhole) throw new CommandError(present(describe(after)[0]), 1)
    if (rows.parts.length > 0) asides.push(await takeOut(data, rows))
    await terminal.write(`The folder is whole again; the damaged files are in ${asides.join(' and ')}.\n`)
  } finally {
    unlock()
  }
}

/** Restores set-aside files from intact copies in another folder. */
async function bringBack(
  data: string,
  { from, state, write }: { readonly from: string; readonly state: ManifestState; readonly write: boolean },
  terminal: Terminal,
): Promise<void> {
  const found = await looked(asideFiles(diskFiles, data, state, from), terminal)
  if (found.length === 0) return terminal.write('Nothing is set aside that could be brought back.\n')
  for (const each of found) await terminal.write(`${describeFound(each)}\n`)
  const whole = found.flatMap((each) =>
    each.path === undefined || each.damage !== undefined ? [] : [{ ...each, path: each.path }],
  )
  if (whole.length === 0)
    throw new CommandError(`Nothing was changed: ${from} has no file that was set aside and is whole.`, 1)
  if (!write)
    throw new CommandError(
      `Nothing was changed. \`sluice repair --data ${data} --restore ${from} --write\` brings back what is whole.`,
      1,
    )
  const manifest = new Manifest(openLog(diskFiles, data, 'manifest'))
  try {
    await restoreAside(diskFiles, data, manifest, whole)
  } finally {
    await manifest.close()
  }
  return terminal.write(`${counted(whole.length, FILES)} ${whole.length === 1 ? 'is' : 'are'} served again.\n`)
}

/** Removes damaged parts from the manifest; returns the folder with their files. */
async function takeOut(data: string, { parts }: FilesSurvey): Promise<string> {
  const manifest = new Manifest(openLog(diskFiles, data, 'manifest'))
  try {
    return await setPartsAside(diskFiles, data, manifest, parts)
  } finally {
    await manifest.close()
  }
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  command
    .option('--data <folder>', 'the data folder of a server that does not run')
    .option('--keys <file>', 'a key file')
    .option('--write', 'write the repaired folder and set damaged files aside; without it nothing is changed')
    .option(
      '--restore <folder>',
      'restore files that an earlier repair set aside, from a folder with whole copies: `segments-aside-1` after you mended them, or a snapshot',
    )
    .option('--accept-lost-changes', 'continue even if changes of monitors, silences or policies are lost')
    .action((options: RepairArguments) => run(options, terminal))
}
