import { vi } from 'vitest'

// The files of a worker share React and the simulated page, which take seconds to read, but none of our own modules:
// a file that mocks one must not meet it as the file before has read it.
vi.resetModules()
