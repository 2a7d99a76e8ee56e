// Loaded into a process of a test whose command line is not ours: as `--liftoff-only` in server/test-process.ts.
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--liftoff-only')
