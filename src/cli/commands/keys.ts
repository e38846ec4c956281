import { CommandError, errorCode } from '../../base/index.ts'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import {
  defaultBackendId,
  hashKey,
  isRole,
  makeKey,
  printKeyFile,
  readKeyFile,
  roles,
  userFault,
  type KeyFile,
  type KeyRecord,
} from '../../server/index.ts'
import { policyBackendsOf } from '../../resources/index.ts'
import { diskFiles, readLog, readMarker, replaceFile } from '../../store/durable/index.ts'
import { userNameOf } from '../../wire/index.ts'
import type { CommandModule } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface FileArguments {
  readonly keys: string
}

interface AddArguments extends FileArguments {
  readonly email?: string
  readonly roles: string
  readonly backends: string
}

interface ListArguments extends FileArguments {
  readonly data?: string
}

const DEFAULT_FILE = 'keys.json'
const ID_LENGTH = 8

const random = (count: number): Uint8Array => new Uint8Array(randomBytes(count))

/** Reads the key file; `undefined` if it does not exist. */
function readFile(path: string): KeyFile | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new CommandError(`The key file ${path} cannot be read: ${String(error)}`)
  }
  return readKeyFile(text)
}

function knownFile(path: string): KeyFile {
  const file = readFile(path)
  if (file === undefined) throw new CommandError(`There is no key file ${path}.`)
  return file
}

/** Reads, changes and writes the key file under a lock. */
function change<T>(
  path: string,
  work: (file: KeyFile | undefined) => { readonly file: KeyFile; readonly result: T },
): T {
  const lock = `${path}.lock`
  try {
    closeSync(openSync(lock, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new CommandError(`Someone else is changing ${path}. If no one is, delete ${lock}.`, 1)
    throw new CommandError(`The key file ${path} cannot be written: ${String(error)}`)
  }
  try {
    const { file, result } = work(readFile(path))
    replaceFile(diskFiles, path, Buffer.from(printKeyFile(file.salt, file.records)))
    return result
  } finally {
    rmSync(lock, { force: true })
  }
}

function idOf({ hash }: KeyRecord): string {
  return hash.slice(0, ID_LENGTH)
}

function words(list: string, what: string): readonly string[] {
  const found = list.split(',').map((word) => word.trim())
  if (found.includes('')) throw new CommandError(`--${what} needs words with commas between them, not \`${list}\`.`)
  return [...new Set(found)]
}

async function add(options: AddArguments, terminal: Terminal): Promise<void> {
  const given = words(options.roles, 'roles')
  const unknown = given.find((word) => !isRole(word))
  if (unknown !== undefined) throw new CommandError(`There is no role \`${unknown}\`: there are ${roles.join(', ')}.`)
  const reason = options.email === undefined ? undefined : userFault(options.email)
  if (reason !== undefined) throw new CommandError(`--email needs the name of a user: ${reason}.`)
  const key = makeKey(random)
  const record = change(options.keys, (file) => {
    const salt = file?.salt ?? Buffer.from(random(32)).toString('hex')
    const added: KeyRecord = {
      hash: hashKey(salt, key),
      email: options.email && userNameOf(options.email),
      roles: new Set(given.filter(isRole)),
      backends: options.backends === '*' ? undefined : new Set(words(options.backends, 'backends')),
    }
    return { file: { salt, records: [...(file?.records ?? []), added] }, result: added }
  })
  await terminal.write(`API key ${idOf(record)} (not shown again): ${key}\n`)
  terminal.writeError('A server that runs with this file lets it in from now on.\n')
}

/**
 * Returns a function that lists the backends on which a user has policies, from a data folder. A server may be running.
 */
function policiesIn(folder: string): (email: string) => readonly string[] {
  const folderId = readMarker(diskFiles, folder)
  if (folderId === undefined) throw new CommandError(`${folder} is not a data folder.`)
  return policyBackendsOf(readLog(diskFiles, folder, 'resources', folderId))
}

const EVERYTHING = 'everything'

/** Describes which rows the user of a key can see. Without a data folder, the user's policies are unknown. */
function sightOf({ email, backends }: KeyRecord, policies: ((email: string) => readonly string[]) | undefined): string {
  if (email === undefined) return `${EVERYTHING}: no user`
  if (policies === undefined) return `what its policies allow, ${EVERYTHING} without one`
  const restricted = policies(email)
  if (restricted.length === 0) return `${EVERYTHING}: no policy`
  const free = [...(backends ?? [])].filter((id) => !restricted.includes(id))
  const allowed = `what its policies allow on ${restricted.join(', ')}`
  return free.length === 0 ? allowed : `${allowed}; ${EVERYTHING} on ${free.join(', ')}: no policy`
}

async function list({ keys, data }: ListArguments, terminal: Terminal): Promise<void> {
  const { records } = knownFile(keys)
  const policies = data === undefined ? undefined : policiesIn(data)
  const rows = records.map((record) => [
    idOf(record),
    [...record.roles].join(','),
    record.email ?? '-',
    record.backends === undefined ? '*' : [...record.backends].join(','),
    sightOf(record, policies),
  ])
  const heads = ['id', 'roles', 'email', 'backends', 'sees']
  const table = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  const lines = table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  await terminal.write(`${lines.join('\n')}\n`)
  if (lines.some((line) => line.includes(EVERYTHING)))
    terminal.writeError('With `sluice serve --require-policy`, keys without a policy see nothing.\n')
}

async function revoke(id: string, { keys }: FileArguments, terminal: Terminal): Promise<void> {
  if (!/^[0-9a-f]{8,64}$/i.test(id))
    throw new CommandError(`\`${id}\` is not the id of a key: \`sluice keys list\` shows them.`)
  change(keys, (file) => {
    const records = file?.records ?? []
    const found = records.filter(({ hash }) => hash.startsWith(id.toLowerCase()))
    if (file === undefined || found.length === 0) throw new CommandError(`There is no key ${id} in ${keys}.`, 1)
    if (found.length > 1) throw new CommandError(`Several keys begin with ${id}: write more of the hash.`, 1)
    return { file: { ...file, records: records.filter((record) => record !== found[0]) }, result: undefined }
  })
  await terminal.write(`The key ${id} is gone.\n`)
  terminal.writeError('A server that runs with this file refuses it from the next request on.\n')
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  const option = ['--keys <file>', 'JSON file of hashed keys, as `sluice serve --keys` reads it', DEFAULT_FILE] as const
  command
    .command('add')
    .description('create a key, show it once, and store its hash')
    .option(...option)
    .option('--email <address>', 'whose policies hold for the key; without it none do')
    .option('--roles <list>', `of ${roles.join(', ')}, with commas between them`, roles.join(','))
    .option('--backends <ids>', 'backends it may use, separated by commas; `*` is all', defaultBackendId)
    .action((options: AddArguments) => add(options, terminal))
  command
    .command('list')
    .description('list the rights of all keys, never the keys')
    .option(...option)
    .option('--data <folder>', 'the data folder of the server, which knows whose policies there are')
    .action((options: ListArguments) => list(options, terminal))
  command
    .command('revoke')
    .description('remove a key from the file')
    .argument('<id>', 'the id that `list` shows')
    .option(...option)
    .action((id: string, options: FileArguments) => revoke(id, options, terminal))
}
