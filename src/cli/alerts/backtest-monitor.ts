import type { QueryTools } from '../../alerting/index.ts'
import type { MonitorDefinition } from '../../alerting/monitors/index.ts'
import { CommandError, SluiceError, spanOf } from '../../base/index.ts'
import { documentsOf, readMonitor, type DocumentBody } from '../../resources/index.ts'
import { defaultBackendId } from '../../server/index.ts'
import { diskFiles, readLog, readMarker } from '../../store/durable/index.ts'
import { decode, excerpt, monitor as monitorSchema } from '../../wire/index.ts'
import { tellFileFaults } from '../diagnostics-output.ts'
import type { Terminal } from '../terminal.ts'
import { readText } from './test-command.ts'

/** A monitor that is backtested. */
export interface MonitorToTest {
  readonly definition: MonitorDefinition
  /** Tables that its queries read; `samples` for metrics. */
  readonly tables: readonly string[]
  /** Throws CommandError if the queries do not compile. */
  readonly check: (tools: QueryTools) => void
}

async function monitorOf(id: string, body: DocumentBody, check: MonitorToTest['check']): Promise<MonitorToTest> {
  const { monitorDefinition, monitorTables } = await import('../../alerting/monitors/index.ts')
  const definition = monitorDefinition(id, decode(monitorSchema, body))
  if (definition.queries.length === 0)
    throw new CommandError(`The monitor ${excerpt(definition.alertName)} has no query: add \`model.queries\`.`, 1)
  return { definition, tables: monitorTables(definition.queries), check }
}

/** Maximum number of titles that an error lists. */
const MAX_TITLES = 10

/** Returns a monitor of a data folder by its id or title. Throws CommandError if none or several match. */
export async function storedMonitor(
  idOrTitle: string,
  { data, backendId = defaultBackendId }: { readonly data: string; readonly backendId?: string },
): Promise<MonitorToTest> {
  // Takes no lock, since a server may be running.
  const folderId = readMarker(diskFiles, data)
  if (folderId === undefined) throw new CommandError(`${data} is not a data folder.`)
  const stored = documentsOf(readLog(diskFiles, data, 'resources', folderId), backendId).list('monitor')
  const byId = stored.filter(({ id }) => id === idOrTitle)
  const found = byId.length > 0 ? byId : stored.filter(({ body }) => body['title'] === idOrTitle)
  const [only] = found
  if (found.length > 1) {
    const ids = found.slice(0, MAX_TITLES).map(({ id }) => excerpt(id))
    throw new CommandError(
      `${found.length} monitors have the title ${excerpt(idOrTitle)}: name one by its id, such as ${ids.join(', ')}.`,
      1,
    )
  }
  if (only === undefined) {
    const titleOf = ({ id, body: { title } }: (typeof stored)[number]): string =>
      excerpt(typeof title === 'string' ? title : id)
    const titles = new Set(stored.map(titleOf))
    const some = [...titles].slice(0, MAX_TITLES).join(', ')
    const known = titles.size === 0 ? 'has none' : `has ${stored.length}, such as ${some}`
    throw new CommandError(
      `There is no monitor ${excerpt(idOrTitle)}: the backend ${excerpt(backendId)} ${known}. --backend-id names another backend, --file a definition.`,
      1,
    )
  }
  return monitorOf(only.id, only.body, () => {})
}

/** Reads a definition in the form of `POST /api/monitors`. Prints its errors and throws CommandError. */
export async function fileMonitor(file: string, terminal: Terminal): Promise<MonitorToTest> {
  const text = readText(file)
  const { checkMonitor } = await import('../../alerting/monitors/index.ts')
  const refuse = (error: unknown, where: string, source: string): never => {
    if (!(error instanceof SluiceError)) throw error
    tellFileFaults(error, source, where, terminal)
    throw new CommandError('', 1)
  }
  try {
    const { monitor, body } = readMonitor(new TextEncoder().encode(text), false)
    return await monitorOf(monitor.title ?? file, body, (tools) => {
      let [member, source] = ['', '']
      const readsText: QueryTools['readsText'] = (...read) => {
        ;[member, source] = read
      }
      try {
        checkMonitor(monitor, { ...tools, readsText })
      } catch (error) {
        // The span of an error refers to the text that was parsed last.
        const isInText = error instanceof SluiceError && error.diagnostics.some(({ origin }) => spanOf(origin))
        if (isInText) refuse(error, `${file}, ${member}`, source)
        refuse(error, file, '')
      }
    })
  } catch (error) {
    return refuse(error, file, text)
  }
}
