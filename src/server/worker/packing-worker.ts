import { enableCompileCache } from 'node:module'

// What the thread runs is loaded behind this, so that a second one starts from compiled code.
enableCompileCache()
const { servePacking } = await import('./serve-packing.ts')
servePacking()
