# Skedchange: one image for every role. ROLES says what a container runs.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Without scripts, because the build needs the sources, which come next so that this layer is kept while only they change.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.js scripts/
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
# Demo mode, whose credentials everybody knows, must be asked for; listening on every address needs real ones.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 GATEWAY_PORT=4000 DEMO=0 DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node /data
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE NOTICE ./
COPY bin bin
USER node
VOLUME /data
EXPOSE 3000 4000
STOPSIGNAL SIGTERM
# Every role responds here. It says that the process is alive; /readyz says whether it can work.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/skedchange.js"]
CMD ["serve"]
