import { RpcCaller, type CallOptions } from '../ask/rpc.ts'
import type { LanguageMethods } from './requests.ts'

/** Calls the language service. Its thread starts at the first call. */
export class LanguageClient {
  readonly #start: () => Worker
  #caller: RpcCaller | undefined

  constructor(start: () => Worker) {
    this.#start = start
  }

  call<M extends keyof LanguageMethods>(
    method: M,
    request: Parameters<LanguageMethods[M]>[0],
    options?: CallOptions<never>,
  ): ReturnType<LanguageMethods[M]> {
    this.#caller ??= new RpcCaller(this.#start())
    return this.#caller.call(method, request, options) as ReturnType<LanguageMethods[M]>
  }
}
