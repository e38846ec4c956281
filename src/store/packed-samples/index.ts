export { PackedSource, isInMemory } from './packed-source.ts'
export { SamplePacker, type PackingOptions, type PackingTail } from './sample-packer.ts'
