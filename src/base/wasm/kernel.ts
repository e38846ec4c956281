import { Bytes, canShareMemory } from '../bytes.ts'

/** The few members of the runtime's WebAssembly that are used; the type library of the project does not have them. */
interface WasmMemory {
  readonly buffer: ArrayBufferLike
  grow(pages: number): number
}

interface WasmApi {
  readonly Memory: new (limits: {
    readonly initial: number
    readonly maximum?: number
    readonly shared?: boolean
  }) => WasmMemory
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> }
}

function api(): WasmApi {
  return (globalThis as unknown as { readonly WebAssembly: WasmApi }).WebAssembly
}

const PAGE_BYTES = 65_536

/** A kernel with a memory of its own, which grows to what its largest input needs. */
export class WasmKernel {
  readonly #memory: WasmMemory
  readonly run: (...parameters: number[]) => void

  constructor(module: Uint8Array) {
    const { Memory, Module, Instance } = api()
    this.#memory = new Memory({ initial: 1 })
    const instance = new Instance(new Module(module), { env: { memory: this.#memory } })
    this.run = instance.exports['run'] as (...parameters: number[]) => void
  }

  /** The memory with room for so many bytes; earlier results of this call are void once it has grown. */
  bytes(length: number): Bytes {
    const missing = length - this.#memory.buffer.byteLength
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE_BYTES))
    return Bytes.from(this.#memory.buffer)
  }
}

/** Parameters are addresses and `i32` numbers. */
export type RunKernel = (...parameters: number[]) => void

/** A module that runs over several memories; compiled when it is first used. */
export class KernelModule {
  readonly #bytes: () => Uint8Array
  #compiled: object | undefined

  constructor(bytes: () => Uint8Array) {
    this.#bytes = bytes
  }

  get compiled(): object {
    return (this.#compiled ??= new (api().Module)(this.#bytes()))
  }
}

/** A memory of one size, in which several kernels work; views of it stay valid. */
export class KernelMemory {
  readonly buffer: ArrayBufferLike
  readonly #memory: WasmMemory
  readonly #runs = new Map<KernelModule, RunKernel>()

  /** Throws `RangeError` where the runtime has no room for it. */
  constructor(bytes: number) {
    this.#memory = new (api().Memory)({ initial: Math.ceil(bytes / PAGE_BYTES) })
    this.buffer = this.#memory.buffer
  }

  run(module: KernelModule): RunKernel {
    let run = this.#runs.get(module)
    if (run === undefined) {
      const instance = new (api().Instance)(module.compiled, { env: { memory: this.#memory } })
      run = instance.exports['run'] as RunKernel
      this.#runs.set(module, run)
    }
    return run
  }
}

/** A kernel whose memory has one size from the start and can be seen by other threads, where the runtime has such memory. */
export class SharedWasmKernel {
  readonly buffer: ArrayBufferLike
  readonly run: (...parameters: number[]) => void

  constructor(module: Uint8Array, pages: number) {
    const { Memory, Module, Instance } = api()
    const memory = new Memory({ initial: pages, maximum: pages, shared: canShareMemory })
    this.buffer = memory.buffer
    const instance = new Instance(new Module(module), { env: { memory } })
    this.run = instance.exports['run'] as (...parameters: number[]) => void
  }
}
