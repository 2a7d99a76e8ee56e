import { makeTemplateIn } from './embedded-template.ts'

// `npm test` runs this beside its checks, so that no stage of its tests begins with waiting for it.
const [, , folder] = process.argv
if (!folder) throw new Error('Expected: make-template.ts folder')
await makeTemplateIn(folder)
