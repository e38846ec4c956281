import { RpcCaller } from '../../src/console/ask/rpc.ts'
import type { EditorLanguage } from '../../src/console/editor/code-editor.ts'
import { editorLanguage } from '../../src/console/editor/editor-language.ts'
import { LanguageClient } from '../../src/console/language/client.ts'
import type { Block, BlockAnswer, BlockLanguage } from '../run/block.ts'

function startWorker(address: string): Worker {
  return new Worker(new URL(address, document.baseURI), { type: 'module' })
}

/**
 * The worker threads of a page: one runs query blocks, one is the language service of the editors. Each starts at first
 * use.
 */
export class Services {
  readonly #workerAddress: string
  readonly #language: LanguageClient
  #runner: RpcCaller | undefined

  constructor(workerAddress: string, languageAddress: string) {
    this.#workerAddress = workerAddress
    this.#language = new LanguageClient(() => startWorker(languageAddress))
  }

  /** Runs a block. Rejects with AskError if the block cannot be run or the signal aborts. */
  run(block: Block, signal: AbortSignal): Promise<BlockAnswer> {
    this.#runner ??= new RpcCaller(startWorker(this.#workerAddress))
    return this.#runner.call('run', block, { signal })
  }

  /** The language service for a query language. LogQL and PromQL have none; their errors appear when the block runs. */
  languageOf(language: BlockLanguage): EditorLanguage {
    if (language === 'native' || language === 'logsql') return this.#language
    const nothing = { span: { start: 0, end: 0 }, items: [] }
    return editorLanguage({
      check: (request) => (language === 'traceql' ? this.#language.call('check', request) : Promise.resolve([])),
      colours: () => Promise.resolve([]),
      complete: (request) =>
        language === 'traceql' ? this.#language.call('complete', request) : Promise.resolve(nothing),
    })
  }
}
