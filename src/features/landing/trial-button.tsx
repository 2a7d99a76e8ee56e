export function TrialButton() {
  return (
    <a className="button big" href="/auth?tab=signup">
      Start free trial
    </a>
  )
}
