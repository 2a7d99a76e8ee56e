// Written by `npm run demo:record`.
const folder = '/src/features/landing/demo'

/** The video in the page, and in the dialog of "Watch demo". */
export function Demo() {
  return (
    <section className="demo" id="demo" aria-labelledby="demo-title">
      <h2 id="demo-title">See it at work</h2>
      <p className="lead">Less than a minute, recorded in the product itself.</p>
      <DemoVideo label="Demo of Solo CRM" />
      <dialog className="demo-dialog" id="demo-dialog" aria-label="Demo of Solo CRM">
        <form method="dialog">
          <button className="button plain" type="submit">
            Close
          </button>
        </form>
        <DemoVideo label="Demo of Solo CRM, large" />
      </dialog>
    </section>
  )
}

/** Not loaded before it is played. */
function DemoVideo({ label }: { label: string }) {
  return (
    <video
      controls
      playsInline
      preload="none"
      poster={`${folder}/poster.webp`}
      width={1280}
      height={800}
      aria-label={label}
    >
      <source src={`${folder}/demo.webm`} type='video/webm; codecs="vp09.00.31.08"' />
      <source src={`${folder}/demo.mp4`} type='video/mp4; codecs="avc1.640020"' />
      <track kind="captions" src={`${folder}/demo.vtt`} srcLang="en" label="English" />
    </video>
  )
}
