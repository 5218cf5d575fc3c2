# Skedchange: one image for every role. ROLES says what a container runs.
#
# A release pins the base by its digest, which is looked up then (CONTRIBUTING.md, Release):
#   docker build --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:… .
# Node.js 24 gets security fixes until April 2028. 20 gets none any more.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without scripts, because the build needs the sources, which come next so that this layer is kept while only they change.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.js scripts/digest-of-sources.js scripts/
COPY src src
RUN node scripts/build.js && npm prune --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
# Nothing here installs packages, and a scanner would report those of the package managers.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
# Demo mode, whose credentials everybody knows, must be asked for; listening on every address needs real ones.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 GATEWAY_PORT=4000 DEMO=0 DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
COPY bin bin
# By number, so that Kubernetes can see that it is not root: the user `node`.
USER 1000:1000
VOLUME /data
EXPOSE 3000 4000
STOPSIGNAL SIGTERM
# Every role responds here. It says that the process is alive; /readyz says whether it can work.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/skedchange.js"]
CMD ["serve"]
