// The page begins here: what the person chose for this browser, the link's token, the routes.
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nProvider } from 'react-aria-components';
import { watchPresence } from './api/presence.js';
import { queryClient } from './api/queries.js';
import { router } from './app/router.js';
import { takeToken, watchLinks } from './pages/session/sign-in.js';
import { showPreferences, usePreferences } from './preferences.js';
import './styles/page.css';

function Page() {
  const { language } = usePreferences();
  return (
    <I18nProvider locale={language}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  );
}

const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no place for the page');
showPreferences();
takeToken();
watchPresence();
watchLinks();
createRoot(place).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
