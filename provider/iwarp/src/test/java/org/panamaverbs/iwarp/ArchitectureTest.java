package org.panamaverbs.iwarp;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.support.LaterLog;
import org.panamaverbs.iwarp.engine.context.Device;
import org.panamaverbs.iwarp.engine.context.SocketsReport;
import org.panamaverbs.iwarp.net.TcpServer;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.ShmAnswer;
import org.panamaverbs.iwarp.wire.ShmOffer;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.rules.ArchitectureRules;

/** The arrows of docs/architecture.md: who may know whom. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = ArchitectureRules.importer()
            .importPackages("org.panamaverbs.memory", "org.panamaverbs.api", "org.panamaverbs.iwarp");

    @Test
    void layersPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs..")
                .layer("memory")
                .definedBy("org.panamaverbs.memory..")
                .layer("api")
                .definedBy("org.panamaverbs.api..")
                .layer("wire")
                .definedBy("org.panamaverbs.iwarp.wire..")
                .layer("core")
                .definedBy("org.panamaverbs.iwarp.core..")
                .layer("io")
                .definedBy("org.panamaverbs.iwarp.io..")
                .layer("ring")
                .definedBy("org.panamaverbs.iwarp.ring..")
                .layer("net")
                .definedBy("org.panamaverbs.iwarp.net..")
                .layer("engine")
                .definedBy("org.panamaverbs.iwarp.engine..")
                .layer("provider")
                .definedBy("org.panamaverbs.iwarp")
                .whereLayer("provider")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("provider")
                .whereLayer("net")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("ring")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("core")
                .mayOnlyBeAccessedByLayers("engine")
                .whereLayer("io")
                .mayOnlyBeAccessedByLayers("core", "ring", "net", "engine")
                .whereLayer("wire")
                .mayOnlyBeAccessedByLayers("core", "engine")
                .whereLayer("api")
                .mayOnlyBeAccessedByLayers("core", "net", "engine", "provider")
                .whereLayer("memory")
                .mayOnlyBeAccessedByLayers("api", "wire", "core", "engine")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /** The packages of the core, each of which knows only those before it; sending and receiving not each other. */
    @Test
    void packagesOfTheCorePointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.iwarp.core..")
                .layer("memory")
                .definedBy("org.panamaverbs.iwarp.core.memory")
                .layer("setup")
                .definedBy("org.panamaverbs.iwarp.core.setup")
                .layer("fault")
                .definedBy("org.panamaverbs.iwarp.core.fault")
                .layer("work")
                .definedBy("org.panamaverbs.iwarp.core.work")
                .layer("send")
                .definedBy("org.panamaverbs.iwarp.core.send")
                .layer("receive")
                .definedBy("org.panamaverbs.iwarp.core.receive")
                .layer("stream")
                .definedBy("org.panamaverbs.iwarp.core.stream")
                .whereLayer("stream")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("send")
                .mayOnlyBeAccessedByLayers("stream")
                .whereLayer("receive")
                .mayOnlyBeAccessedByLayers("stream")
                .whereLayer("work")
                .mayOnlyBeAccessedByLayers("send", "receive", "stream")
                .whereLayer("fault")
                .mayOnlyBeAccessedByLayers("work", "send", "receive", "stream")
                .whereLayer("setup")
                .mayOnlyBeAccessedByLayers("send", "receive", "stream")
                .whereLayer("memory")
                .mayOnlyBeAccessedByLayers("work", "send", "receive", "stream")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.core.*")));
    }

    /** How the C library is called knows no socket, and sockets of the Internet know none of this host alone. */
    @Test
    void packagesOfTheSocketsPointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.iwarp.net..")
                .layer("call")
                .definedBy("org.panamaverbs.iwarp.net.call")
                .layer("net")
                .definedBy("org.panamaverbs.iwarp.net")
                .layer("unix")
                .definedBy("org.panamaverbs.iwarp.net.unix")
                .whereLayer("unix")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("net")
                .mayOnlyBeAccessedByLayers("unix")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.net..")));
    }

    /** The packages of the engine, each of which knows only those before it; the open device is above them all. */
    @Test
    void packagesOfTheEnginePointDownwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("org.panamaverbs.iwarp.engine..")
                .layer("direct")
                .definedBy("org.panamaverbs.iwarp.engine.direct")
                .layer("context")
                .definedBy("org.panamaverbs.iwarp.engine.context")
                .layer("transport")
                .definedBy("org.panamaverbs.iwarp.engine.transport")
                .layer("shm")
                .definedBy("org.panamaverbs.iwarp.engine.transport.shm")
                .layer("factory")
                .definedBy("org.panamaverbs.iwarp.engine.transport.factory")
                .layer("progress")
                .definedBy("org.panamaverbs.iwarp.engine.progress")
                .layer("objects")
                .definedBy("org.panamaverbs.iwarp.engine.objects")
                .layer("cm")
                .definedBy("org.panamaverbs.iwarp.engine.cm")
                .layer("device")
                .definedBy("org.panamaverbs.iwarp.engine")
                .whereLayer("device")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("cm")
                .mayOnlyBeAccessedByLayers("device")
                .whereLayer("objects")
                .mayOnlyBeAccessedByLayers("cm", "device")
                .whereLayer("progress")
                .mayOnlyBeAccessedByLayers("objects", "cm", "device")
                .whereLayer("factory")
                .mayOnlyBeAccessedByLayers("progress", "objects", "cm", "device")
                .whereLayer("shm")
                .mayOnlyBeAccessedByLayers("factory")
                .whereLayer("direct")
                .mayOnlyBeAccessedByLayers("context", "shm", "factory", "objects")
                .whereLayer("transport")
                .mayOnlyBeAccessedByLayers("shm", "factory", "progress", "objects", "cm", "device")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.engine..")));
    }

    /** Sockets know nothing of verbs. */
    @Test
    void netKnowsTheLogAloneOfTheApi() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.net..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.panamaverbs.api..").and(not(belongToAnyOf(LaterLog.class))))
                .check(CLASSES);
    }

    /** A handler of the application's must not be called under the lock of what it may call into. */
    @Test
    void whatIsLoggedIsWrittenLater() {
        noClasses()
                .that(not(belongToAnyOf(SocketsReport.class, Device.class)))
                .and()
                .resideInAPackage("org.panamaverbs.iwarp..")
                .should()
                .callMethod(System.class, "getLogger", String.class)
                .check(CLASSES);
    }

    @Test
    void noCyclesBetweenPackages() {
        ArchitectureRules.noCyclesBetweenPackages().check(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp..")));
    }

    @Test
    void coreHasNoTypesButInItsPackages() {
        assertThat(CLASSES.that(resideInAPackage("org.panamaverbs.iwarp.core")))
                .extracting(JavaClass::getSimpleName)
                .containsOnly("package-info");
    }

    /** Segments know nothing of the FPDUs that carry them. */
    @Test
    void segmentsKnowNothingOfMpa() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.wire")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.panamaverbs.iwarp.wire.mpa")
                .check(CLASSES);
    }

    /**
     * What is said on the wire, and what is heard, is the core's: the engine has names of codes and octets as values,
     * and the Offer of shared memory, which is not of a stream.
     */
    @Test
    void engineMakesAndReadsNoHeaders() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.engine..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.panamaverbs.iwarp.wire..")
                        .and(not(belongToAnyOf(
                                Octets.class,
                                TerminateCode.class,
                                ShmOffer.class,
                                ShmAnswer.class,
                                ShmAnswer.Outcome.class))))
                .check(CLASSES);
    }

    /** What carries a connection is the transports' affair: whoever is beside or above them asks them. */
    @Test
    void onlyTransportsKnowTheirSockets() {
        noClasses()
                .that()
                .resideInAPackage("org.panamaverbs.iwarp.engine..")
                .and()
                .resideOutsideOfPackage("org.panamaverbs.iwarp.engine.transport..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(TcpSocket.class, TcpServer.class)
                .check(CLASSES);
    }

    @Test
    void coreWireAndRingKnowNoInputOutputThreadsClocksOrLocks() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "org.panamaverbs.iwarp.core..", "org.panamaverbs.iwarp.wire..", "org.panamaverbs.iwarp.ring..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.util.concurrent",
                        "java.util.concurrent.locks..",
                        "java.util.logging..",
                        "java.security..",
                        "java.time..")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.lang.Thread")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.Random")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.System\\$Logger.*")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }
}
