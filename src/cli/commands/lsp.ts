import { CommandError, POLL_MS, errorCode } from '../../base/index.ts'
import process from 'node:process'
import type { Command } from 'commander'
import { createMessageConnection, ErrorCodes, ResponseError, type MessageConnection } from 'vscode-jsonrpc/node'
import type { Dialect } from '../../plan/index.ts'
import { LanguageService, semanticKinds, type LspRange } from '../../editor/index.ts'
import { otherLanguages } from '../../editor/languages/index.ts'
import { choice, dialectNames } from '../options/choice-option.ts'
import type { CommandModule } from '../command.ts'
import { loadOption, textSession } from '../text-session.ts'
import type { Terminal } from '../terminal.ts'

interface AboutDocument {
  readonly textDocument: { readonly uri: string }
}

interface AboutPosition extends AboutDocument {
  readonly position: LspRange['start']
}

interface Opened {
  readonly textDocument: { readonly uri: string; readonly text: string; readonly languageId?: string }
}

interface Changed extends AboutDocument {
  readonly contentChanges: readonly { readonly range?: LspRange; readonly text: string }[]
}

const capabilities = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: 2 },
  completionProvider: { triggerCharacters: [':', '|', '(', ',', ' ', '{', '='] },
  hoverProvider: true,
  semanticTokensProvider: { legend: { tokenTypes: semanticKinds, tokenModifiers: [] }, full: true },
  documentFormattingProvider: true,
  codeActionProvider: { codeActionKinds: ['quickfix'] },
}

const LAST_ANSWERS_MS = 50

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // `EPERM`: the process exists and belongs to another user.
    return errorCode(error) === 'EPERM'
  }
}

/** Registers the handlers. `onEditor` receives the process id of the editor, if the editor sends one. */
function serveQuestions(
  connection: MessageConnection,
  service: LanguageService,
  onEditor: (processId: number) => void,
): void {
  let isReady = false
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the protocol says what each method brings
  const answer = <P>(method: string, work: (params: P) => unknown): void => {
    connection.onRequest(method, (params: P) =>
      isReady ? work(params) : new ResponseError(ErrorCodes.ServerNotInitialized, 'The first request is `initialize`.'),
    )
  }
  connection.onRequest('initialize', (params: { readonly processId?: unknown } | null) => {
    isReady = true
    const processId = params?.processId
    if (Number.isSafeInteger(processId) && Number(processId) > 0) onEditor(Number(processId))
    return { capabilities, serverInfo: { name: 'sluice' } }
  })
  answer('textDocument/completion', ({ textDocument, position }: AboutPosition) =>
    service.completion(textDocument.uri, position),
  )
  answer('textDocument/hover', ({ textDocument, position }: AboutPosition) => service.hover(textDocument.uri, position))
  answer('textDocument/semanticTokens/full', ({ textDocument }: AboutDocument) =>
    service.semanticTokens(textDocument.uri),
  )
  answer('textDocument/formatting', ({ textDocument }: AboutDocument) => service.formatting(textDocument.uri))
  answer('textDocument/codeAction', ({ textDocument, range }: AboutDocument & { readonly range: LspRange }) =>
    service.codeActions(textDocument.uri, range),
  )
}

function followDocuments(connection: MessageConnection, service: LanguageService): void {
  const publish = (uri: string): void => {
    void connection.sendNotification('textDocument/publishDiagnostics', { uri, diagnostics: service.diagnostics(uri) })
  }
  connection.onNotification('textDocument/didOpen', ({ textDocument }: Opened) => {
    service.open(textDocument.uri, textDocument.text, textDocument.languageId)
    publish(textDocument.uri)
  })
  connection.onNotification('textDocument/didChange', ({ textDocument, contentChanges }: Changed) => {
    service.change(textDocument.uri, contentChanges)
    publish(textDocument.uri)
  })
  connection.onNotification('textDocument/didClose', ({ textDocument }: AboutDocument) => {
    service.close(textDocument.uri)
    publish(textDocument.uri)
  })
}

/** Serves one editor over a pair of streams until it sends `exit` or disconnects; returns the exit code. */
export function serveLanguage(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
  service: LanguageService,
  signal: AbortSignal,
): Promise<0 | 1> {
  const connection = createMessageConnection(input, output)
  let hasShutDown = false
  let checks: NodeJS.Timeout | undefined
  let end: () => void = () => undefined
  // A child of the editor may have inherited the pipes, so their end does not show that the editor has ended.
  serveQuestions(connection, service, (processId) => {
    clearInterval(checks)
    checks = setInterval(() => {
      if (!isRunning(processId)) end()
    }, POLL_MS)
  })
  followDocuments(connection, service)
  connection.onRequest('shutdown', () => {
    hasShutDown = true
    return null
  })
  return new Promise((resolve) => {
    end = (): void => {
      clearInterval(checks)
      connection.dispose()
      resolve(hasShutDown ? 0 : 1)
    }
    connection.onNotification('exit', end)
    // Requests in flight are still answered.
    for (const event of ['end', 'close', 'error']) input.once(event, () => setTimeout(end, LAST_ANSWERS_MS))
    output.once('error', end)
    signal.addEventListener('abort', end, { once: true })
    connection.listen()
  })
}

interface LspArguments {
  readonly dialect: Dialect
  readonly table?: string
  readonly load?: readonly string[]
  readonly catalog?: string
}

async function run(options: LspArguments, terminal: Terminal): Promise<void> {
  const { engine, known, close } = await textSession(terminal, options)
  if (options.table !== undefined && !engine.catalog.tables.has(options.table)) {
    throw new CommandError(
      `There is no table ${options.table}; there are ${[...engine.catalog.tables.keys()].join(', ')}.`,
    )
  }
  const { catalog: _, ...editing } = options
  const service = new LanguageService(engine, { ...editing, known }, otherLanguages)
  const code = await serveLanguage(process.stdin, process.stdout, service, terminal.signal)
  process.stdin.destroy()
  await close()
  if (code === 1) throw new CommandError('', 1)
}

export const define: CommandModule['define'] = (command: Command, terminal) => {
  loadOption(command)
    .description('A language server for editors: speaks its protocol on standard input and output.')
    .addOption(choice('--dialect <name>', 'dialect of queries', dialectNames).default('native'))
    .option('--table <name>', 'the table of queries that name none')
    .option('--stdio', 'accepted for editors that pass it; the only transport')
    .action((options: LspArguments) => run(options, terminal))
}
