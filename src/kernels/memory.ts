import type { Kernels } from './kernels.ts'
import { moduleText } from './module.ts'
import { plainKernels } from './plain/index.ts'

/** The WebAssembly functions in use. The project's type library does not declare them. */
interface WasmApi {
  readonly Memory: new (limits: { readonly initial: number }) => { readonly buffer: ArrayBufferLike }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

interface CompiledKernels {
  readonly api: WasmApi
  readonly module: object
}

const PAGE_BYTES = 65_536

let compiled: CompiledKernels | 'none' | undefined

/**
 * Compiles the module once for each thread. Returns 'none' when the runtime has no WebAssembly, or when a content
 * security policy forbids it.
 */
function compiledKernels(): CompiledKernels | 'none' {
  if (compiled !== undefined) return compiled
  const { WebAssembly: api } = globalThis as unknown as { readonly WebAssembly?: WasmApi }
  if (api === undefined) return (compiled = 'none')
  try {
    return (compiled = { api, module: new api.Module(Uint8Array.from(atob(moduleText), (char) => char.charCodeAt(0))) })
  } catch {
    return (compiled = 'none')
  }
}

/** Memory of fixed size for kernels. It never grows, since growing would detach its views. */
export class KernelMemory {
  readonly buffer: ArrayBufferLike
  readonly kernels: Kernels

  /**
   * Uses the plain TypeScript kernels if there are no compiled ones. Throws `RangeError` if the memory cannot be
   * allocated.
   */
  constructor(bytes: number, use: CompiledKernels | 'none' = compiledKernels()) {
    const pages = Math.ceil(bytes / PAGE_BYTES)
    if (use === 'none') {
      this.buffer = new ArrayBuffer(pages * PAGE_BYTES)
      this.kernels = plainKernels(this.buffer)
    } else {
      const memory = new use.api.Memory({ initial: pages })
      this.buffer = memory.buffer
      this.kernels = new use.api.Instance(use.module, { env: { memory } }).exports as Kernels
    }
  }
}
