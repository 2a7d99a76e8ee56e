import { WriteEmail } from '#features/compose/index.ts'
import { useComposer } from '#features/forms/index.ts'

/** Mounted once in the workspace; shows the composer that `openComposer` asked for. */
export function ComposerHost() {
  const { request, close } = useComposer()
  return request && <WriteEmail request={request} onClose={close} />
}
