export { SAMPLES_VERSION } from './layout.ts'
export { SampleFile } from './sample-file.ts'
export { writeSamples, type SamplesSummary, type SamplesToWrite, type SeriesToWrite } from './write-samples.ts'
export { StoredSource } from './stored-source.ts'
