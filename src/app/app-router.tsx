import {
  Component,
  type ComponentType,
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useLayoutEffect,
  useState,
} from 'react'
import {
  type Location,
  matchRoutes,
  type RouteObject,
  Router,
  useLocation,
  useRoutes,
} from 'react-router'
import { createNavigator, type Navigator } from './navigator.ts'

/** A route whose code is loaded when its screen is opened. */
type Page = { path: string; load: () => Promise<ReactNode> }
type ErrorLook = ComponentType<{ error: unknown }>
type Loaded = Map<string, { element: ReactNode } | { error: unknown }>

export type AppRoutes = { routes: RouteObject[]; navigator: Navigator; loaded: Loaded }

const LoadedContext = createContext<Loaded>(new Map())
const NavigatorContext = createContext<Navigator | null>(null)

/** The route of a page. */
export function pageRoute(path: string, Crash: ErrorLook): RouteObject {
  return { path, id: path, element: <PagePlace key={path} path={path} Crash={Crash} /> }
}

export function createAppRoutes(routes: RouteObject[], pages: Page[]): AppRoutes {
  const loaded: Loaded = new Map()
  const pageOf = new Map(pages.map((page) => [page.path, page]))
  function load(location: Location): Promise<void> | null {
    const id = matchRoutes(routes, location)?.at(-1)?.route.id ?? ''
    const page = pageOf.get(id)
    const before = loaded.get(id)
    if (!page || (before && 'element' in before)) return null
    return page.load().then(
      (element) => void loaded.set(id, { element }),
      (error: unknown) => void loaded.set(id, { error }),
    )
  }
  return { routes, navigator: createNavigator({ load }), loaded }
}

type AppRouterProps = { app: AppRoutes; fallback: ReactNode; Crash: ErrorLook }

/** Shows the screen of the address; a new address as a transition. */
export function AppRouter({ app, fallback, Crash }: AppRouterProps) {
  const { navigator, routes, loaded } = app
  const [shown, setShown] = useState(navigator.shown)
  useLayoutEffect(() => {
    const stopped = [
      navigator.onShow((next) => startTransition(() => setShown(next))),
      navigator.start(),
    ]
    setShown(navigator.shown())
    return () => {
      for (const stop of stopped) stop()
    }
  }, [navigator])
  if (!shown) return fallback
  return (
    <Router navigator={navigator.forLinks} location={shown.location} navigationType={shown.action}>
      <NavigatorContext value={navigator}>
        <LoadedContext value={loaded}>
          <ErrorPlace Crash={Crash} location={shown.location}>
            <Routed routes={routes} />
          </ErrorPlace>
        </LoadedContext>
      </NavigatorContext>
    </Router>
  )
}

export function useNavigator(): Navigator {
  const navigator = useContext(NavigatorContext)
  if (!navigator) throw new Error('There is no router.')
  return navigator
}

function Routed({ routes }: { routes: RouteObject[] }) {
  return useRoutes(routes)
}

function PagePlace({ path, Crash }: { path: string; Crash: ErrorLook }) {
  const found = useContext(LoadedContext).get(path)
  const location = useLocation()
  if (found && 'error' in found) return <Crash error={found.error} />
  return (
    <ErrorPlace Crash={Crash} location={location}>
      {found?.element}
    </ErrorPlace>
  )
}

type ErrorPlaceProps = { Crash: ErrorLook; location: Location; children: ReactNode }
type ErrorPlaceState = { failed: { error: unknown } | null; location: Location }

/** Shows what was thrown below, until another address is shown. */
class ErrorPlace extends Component<ErrorPlaceProps, ErrorPlaceState> {
  override state: ErrorPlaceState = { failed: null, location: this.props.location }

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  static getDerivedStateFromProps({ location }: ErrorPlaceProps, state: ErrorPlaceState) {
    return location === state.location ? null : { failed: null, location }
  }

  override render() {
    const { Crash, children } = this.props
    return this.state.failed ? <Crash error={this.state.failed.error} /> : children
  }
}
