import { spawn } from 'node:child_process'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node'
import { present } from '../../src/base/index.ts'
import { program } from '../harness/program.ts'

interface Published {
  readonly uri: string
  readonly diagnostics: readonly { readonly code: string; readonly range: unknown; readonly severity: number }[]
}

const uri = 'file:///query.slq'

describe('language server over pipes', () => {
  const server = spawn(process.execPath, [program, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => server.once('exit', resolve))
  const connection: MessageConnection = createMessageConnection(server.stdout, server.stdin)
  const waiting: ((published: Published) => void)[] = []

  const published = (send: () => void): Promise<Published> => {
    const next = new Promise<Published>((resolve) => waiting.push(resolve))
    send()
    return next
  }
  const at = (line: number, character: number): object => ({ textDocument: { uri }, position: { line, character } })

  beforeAll(() => {
    connection.onNotification('textDocument/publishDiagnostics', (what: Published) => waiting.shift()?.(what))
    connection.listen()
  })
  afterAll(() => {
    connection.dispose()
    server.kill()
  })

  test('nothing is answered before the start', async () => {
    await expect(connection.sendRequest('textDocument/hover', at(0, 0))).rejects.toMatchObject({ code: -32002 })
  })

  test('initialize tells what it can', async () => {
    const { capabilities } = await connection.sendRequest<{ capabilities: Record<string, unknown> }>('initialize', {
      processId: null,
      capabilities: {},
    })
    expect(Object.keys(capabilities)).toEqual(
      expect.arrayContaining(['completionProvider', 'hoverProvider', 'semanticTokensProvider', 'codeActionProvider']),
    )
  })

  test('diagnostics of a document with an error in its second line', async () => {
    const { diagnostics } = await published(
      () =>
        void connection.sendNotification('textDocument/didOpen', {
          textDocument: { uri, languageId: 'sluice', version: 1, text: 'level:error\n  | srot by (level)' },
        }),
    )
    expect(diagnostics).toMatchObject([
      {
        code: 'log/unknown-pipe',
        severity: 1,
        range: { start: { line: 1, character: 4 }, end: { line: 1, character: 8 } },
      },
    ])
  })

  test('its fix mends it', async () => {
    const range = { start: { line: 1, character: 4 }, end: { line: 1, character: 4 } }
    const actions = await connection.sendRequest<
      readonly { edit: { changes: Record<string, readonly { range: unknown; newText: string }[]> } }[]
    >('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [] } })
    const edit = present(actions[0]?.edit.changes[uri]?.[0])
    expect(edit.newText).toBe('sort')
    const { diagnostics } = await published(
      () =>
        void connection.sendNotification('textDocument/didChange', {
          textDocument: { uri, version: 2 },
          contentChanges: [{ range: edit.range, text: edit.newText }],
        }),
    )
    expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([])
  })

  test('completion, hover, colours', async () => {
    const items = await connection.sendRequest<readonly { label: string; textEdit: { range: unknown } }[]>(
      'textDocument/completion',
      at(1, 6),
    )
    expect(items[0]).toMatchObject({
      label: 'sort',
      textEdit: { range: { start: { line: 1, character: 4 }, end: { line: 1, character: 8 } } },
    })
    const hover = await connection.sendRequest<{ contents: { value: string } }>('textDocument/hover', at(1, 5))
    expect(hover.contents.value).toContain('pipe `sort`')
    const { data } = await connection.sendRequest<{ data: readonly number[] }>('textDocument/semanticTokens/full', {
      textDocument: { uri },
    })
    expect(data.slice(0, 5)).toEqual([0, 0, 5, 2, 0])
    expect(data.slice(15, 20)).toEqual([1, 2, 1, 5, 0])
  })

  test('formatting', async () => {
    const edits = await connection.sendRequest<readonly { newText: string }[]>('textDocument/formatting', {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    })
    expect(edits.map(({ newText }) => newText)).toEqual(['level:error | sort by (level)'])
  })

  test('shutdown and exit', async () => {
    expect(await connection.sendRequest('shutdown')).toBeNull()
    await connection.sendNotification('exit')
    expect(await ended).toBe(0)
  })
})
