import { keepCompiled } from './compiled.ts'

// What the thread runs is loaded behind this, so that the next one starts from compiled code.
keepCompiled()
const { servePacking } = await import('./serve-packing.ts')
servePacking()
